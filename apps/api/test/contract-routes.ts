import * as contract from '@mogakgong/contract';

type Contract = typeof contract;

export type RouteName = {
  [Name in keyof Contract]: Contract[Name] extends contract.RouteDefinition ? Name : never;
}[keyof Contract];

/** All HTTP routes that the contract exports; http.test.ts compares them with those served. */
export const routes = Object.fromEntries(
  Object.entries(contract).filter(([, value]) => isRoute(value)),
) as Pick<Contract, RouteName>;

function isRoute(value: unknown): value is contract.RouteDefinition {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}

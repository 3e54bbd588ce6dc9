import * as contract from '@mogakgong/contract';

type Contract = typeof contract;

export type RouteName = {
  [Name in keyof Contract]: Contract[Name] extends contract.RouteDefinition ? Name : never;
}[keyof Contract];

/** Every HTTP route of the product: what the contract exports, and what is served (http.test.ts compares). */
export const routes = Object.fromEntries(
  Object.entries(contract).filter(([, value]) => isRoute(value)),
) as Pick<Contract, RouteName>;

function isRoute(value: unknown): value is contract.RouteDefinition {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}

import type { RouteDefinition } from '@mogakgong/contract';
import type { InjectOptions } from 'fastify';
import { type RouteName, routes } from './contract-routes.ts';
import { formOf } from './form.ts';

/** The parts of a request of any route. */
export interface AnyRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The address of a request, path and query. */
function addressOf(route: RouteDefinition, { params = {}, query = {} }: AnyRequest): string {
  const path = route.path.replace(/:(\w+)/gu, (_, name) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.append(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

/** A request in the form of Fastify's `inject`. */
export async function injection(
  name: RouteName,
  request: AnyRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<InjectOptions> {
  const route: RouteDefinition = routes[name];
  const common = { method: route.method, url: addressOf(route, request) };
  if (route.body === undefined) return { ...common, headers };
  if (route.bodyType !== 'multipart') return { ...common, headers, payload: request.body ?? {} };
  const files = Object.entries(request.body ?? {}) as [string, File][];
  const form = await formOf(
    await Promise.all(
      files.map(async ([field, file]) => ({
        field,
        bytes: new Uint8Array(await file.arrayBuffer()),
      })),
    ),
  );
  return { ...common, headers: { ...headers, ...form.headers }, payload: form.payload };
}

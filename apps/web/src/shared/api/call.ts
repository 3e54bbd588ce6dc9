import type { RouteDefinition, RouteReply, RouteRequest } from '@mogakgong/contract';
import { readAccessToken } from './access-token.ts';
import { ApiError } from './api-error.ts';
import { replaceAccessToken } from './refresh-token.ts';
import { type SendOptions, send } from './send.ts';

/**
 * Calls a route of the contract: request and reply have the types that the route declares. Carries
 * the stored token; one that has run out is replaced once, invisibly, and the call repeated.
 * Throws `ApiError` with a text for the learner (specification §8).
 */
export async function call<R extends RouteDefinition>(
  route: R,
  request: RouteRequest<R>,
  options: SendOptions = {},
): Promise<RouteReply<R>> {
  const token = readAccessToken();
  try {
    return await send(route, request, token, options);
  } catch (error) {
    const hasRunOut = error instanceof ApiError && error.status === 401 && route.access === 'login';
    if (!hasRunOut || token === null) throw error;
    const newer = await replaceAccessToken(token);
    if (newer === null) throw error;
    return send(route, request, newer, options);
  }
}

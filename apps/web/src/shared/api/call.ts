import {
  type RouteDefinition,
  type RouteReply,
  type RouteRequest,
  refresh,
} from '@mogakgong/contract';
import { readAccessToken, storeAccessToken } from './access-token.ts';
import { ApiError } from './api-error.ts';
import { type SendOptions, send } from './send.ts';

/** Asks the learner to prove their identity; resolves to whether they have. */
type Reauthenticate = () => Promise<boolean>;
let reauthenticate: Reauthenticate = async () => false;

/**
 * Sets the handler of calls that need a recent log-in (403 `loginNotRecent`): it asks the learner, and the
 * call is repeated if they have proved their identity. Returns a cleanup function.
 */
export function onLogInNotRecent(ask: Reauthenticate): () => void {
  reauthenticate = ask;
  return () => {
    reauthenticate = async () => false;
  };
}

/**
 * Calls a route of the contract with its request and reply types. Asks for a recent log-in where the route
 * needs one, and repeats the call. Throws `ApiError` with a text for the learner (specification §8).
 */
export async function call<R extends RouteDefinition>(
  route: R,
  request: RouteRequest<R>,
  options: SendOptions = {},
): Promise<RouteReply<R>> {
  try {
    return await callWithToken(route, request, options);
  } catch (error) {
    const isTooOld = error instanceof ApiError && error.errorName === 'loginNotRecent';
    if (!isTooOld || !(await reauthenticate())) throw error;
    return callWithToken(route, request, options);
  }
}

/** Sends the stored token; an expired one is replaced once, invisibly, and the call repeated. */
async function callWithToken<R extends RouteDefinition>(
  route: R,
  request: RouteRequest<R>,
  options: SendOptions,
): Promise<RouteReply<R>> {
  const token = readAccessToken();
  try {
    return await send(route, request, token, options);
  } catch (error) {
    if (!(error instanceof ApiError) || token === null) throw error;
    // A newer token states that the account is suspended, and the page shows why.
    if (error.errorName === 'accountSuspended') replaceAccessToken(token).catch(() => undefined);
    if (error.status !== 401 || route.access === 'open') throw error;
    const newer = await replaceAccessToken(token);
    if (newer === null) throw error;
    return send(route, request, newer, options);
  }
}

/**
 * Exchanges the refresh cookie while no other tab does: a second exchange would present a cookie that looks
 * stolen. Web Locks need a secure origin; without them nothing waits.
 */
export function underRefreshLock<T>(exchange: () => Promise<T>): Promise<T> {
  return navigator.locks?.request('mogakgong.refresh', exchange) ?? exchange();
}

let running: Promise<string | null> | null = null;

/**
 * A token newer than the refused one, or null when the log-in has ended. Any number of callers, in any number
 * of tabs, share one refresh. Throws `ApiError` when the server cannot be reached: the log-in then stays.
 */
export function replaceAccessToken(refused: string): Promise<string | null> {
  running ??= underRefreshLock(() => newerToken(refused)).finally(() => {
    running = null;
  });
  return running;
}

/** Exchanges the token for one with the account's current state; throws `ApiError`. */
export async function renewAccessToken(): Promise<void> {
  await replaceAccessToken(readAccessToken() ?? '');
}

async function newerToken(refused: string): Promise<string | null> {
  const current = readAccessToken();
  if (current !== refused) return current;
  try {
    const { token } = await send(refresh, {}, null);
    storeAccessToken(token);
    return token;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    storeAccessToken(null);
    return null;
  }
}

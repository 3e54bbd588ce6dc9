import { refresh } from '@mogakgong/contract';
import { readAccessToken, storeAccessToken } from './access-token.ts';
import { ApiError } from './api-error.ts';
import { send } from './send.ts';

/** The lock that lets one tab of the browser refresh at a time. */
const REFRESH_LOCK = 'mogakgong.refresh';

let running: Promise<string | null> | null = null;

/**
 * A token that is newer than the refused one, or null when the log-in has ended. Any number of
 * callers, in any number of tabs, share one refresh: it would otherwise look like a stolen cookie.
 * Throws `ApiError` when the server cannot be reached: the log-in then stays.
 */
export function replaceAccessToken(refused: string): Promise<string | null> {
  running ??= oneTabAtATime(() => newerToken(refused)).finally(() => {
    running = null;
  });
  return running;
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

/** Web Locks need a secure origin; without them the tab's own single flight has to do. */
function oneTabAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!navigator.locks) return work();
  return navigator.locks.request(REFRESH_LOCK, work);
}

import type { Query } from '@tanstack/react-query';
import { ApiError, readAccessToken } from '../shared/api/index.ts';
import { queryClient } from '../shared/api/query.ts';
import type { Language } from '../shared/i18n/language.ts';
import { keptOfflineKeys, storageKeys } from '../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../shared/lib/stored.ts';
import { answerServiceWorker, endWithLogIn, startServiceWorker } from './service-worker.ts';

/** The page and the room have the network for themselves before. */
const KEEP_FILES_AFTER_MS = 10_000;
const WRITE_AFTER_MS = 1_000;

/** All of it for a logged-in learner: downloaded beside the page. Returns a cleanup function. */
export function prepareForOffline(language: Language): () => void {
  startServiceWorker(language);
  const stops = [answerServiceWorker(), endWithLogIn(), keepFiles(), keepLastState()];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The parts of the learner's own day that /main and the room show, by names in the keys. */
const KEPT_NAMES: ReadonlySet<unknown> = new Set(['today', 'goal', 'totals', 'visit', 'subjects']);

/** The last answer of each name. */
type Kept = Record<string, { readonly queryHash: string; readonly data: unknown }>;

const keptName = ({ queryKey }: Query) =>
  queryKey.slice(0, 4).find((part) => KEPT_NAMES.has(part)) as string | undefined;

/** An ended day says nothing about today. */
const isOver = (data: unknown) =>
  typeof data === 'object' &&
  data !== null &&
  'dayEndsAtMs' in data &&
  Number(data.dayEndsAtMs) <= Date.now();

function readKept(): Kept {
  try {
    return JSON.parse(readStored(keptOfflineKeys.lastState) ?? '{}') as Kept;
  } catch {
    return {};
  }
}

/**
 * Keeps the last answers about the learner's day, and shows them where the server cannot be reached and nothing
 * else is known (decision 140). A log-out removes them. Returns a cleanup function.
 */
export function keepLastState(): () => void {
  const cache = queryClient.getQueryCache();
  const kept = readKept();
  let writing: ReturnType<typeof setTimeout> | undefined;

  const write = () => {
    writing = undefined;
    if (readAccessToken() !== null) {
      writeStored(keptOfflineKeys.lastState, JSON.stringify(kept));
    }
  };
  const take = (query: Query) => {
    const name = keptName(query);
    if (name === undefined) return;
    const { queryHash } = query;
    const { data, error } = query.state;
    if (error === null && data !== undefined) {
      kept[name] = { queryHash, data };
      writing ??= setTimeout(write, WRITE_AFTER_MS);
      return;
    }
    const last = kept[name];
    const isUnreachable = error instanceof ApiError && error.status === 0;
    if (data !== undefined || !isUnreachable) return;
    if (last?.queryHash === queryHash && !isOver(last.data)) {
      queryClient.setQueryData(query.queryKey, last.data);
    }
  };

  for (const query of cache.getAll()) take(query);
  const stop = cache.subscribe((event) => {
    if (event.type === 'updated') take(event.query);
  });
  return () => {
    stop();
    clearTimeout(writing);
  };
}

/** By the learner's choice (save-data.ts, which is downloaded with the room) or the browser's. */
function isDataSaved(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  const isChosen = readStored(storageKeys.saveData)?.includes('"always"') ?? false;
  return isChosen || connection?.saveData === true;
}

/** Lets the service worker keep the files of the application, unless data is saved. Returns a cleanup function. */
export function keepFiles(): () => void {
  const ask = async () => {
    if (isDataSaved()) return;
    const registration = await navigator.serviceWorker?.ready;
    registration?.active?.postMessage('keep');
  };
  // `untilIdle` is downloaded with the room.
  const whenIdle = () => ('requestIdleCallback' in window ? requestIdleCallback(ask) : ask());
  const timer = setTimeout(whenIdle, KEEP_FILES_AFTER_MS);
  return () => clearTimeout(timer);
}

import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from './api-error.ts';

/** Server state as a page shows it. */
export interface Loaded<T> {
  /** The last answer; null until there is one. A later failure keeps it. */
  readonly value: T | null;
  /** Why there is no value, as a text for the learner, also while it is loaded again; else null. */
  readonly error: string | null;
  readonly isLoading: boolean;
  /** Loads it again. */
  reload(): void;
}

type LoadOptions<T> = Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'>;

/** Loads from the API while the caller is mounted; callers with the same key share one answer. */
export function useLoaded<T>(
  key: QueryKey,
  load: (signal: AbortSignal) => Promise<T>,
  options: LoadOptions<T> = {},
): Loaded<T> {
  const { data, error, errorUpdateCount, isFetching, refetch } = useQuery<T>({
    ...options,
    queryKey: key,
    queryFn: ({ signal }) => load(signal),
  });
  // The query clears its error during a reload.
  const [lastError, setLastError] = useState(error);
  if (error !== null && error !== lastError) setLastError(error);
  const hasFailed = data === undefined && errorUpdateCount > 0;
  return {
    value: data ?? null,
    error: hasFailed ? messageOf(lastError) : null,
    isLoading: isFetching,
    reload: () => void refetch(),
  };
}

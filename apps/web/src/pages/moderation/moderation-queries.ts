import {
  type Appeal,
  type AuditEvent,
  type CaseDetail,
  type CaseFilter,
  type CaseId,
  type CaseSummary,
  getAppeals,
  getAuditEvents,
  getCase,
  getCases,
  type RouteRequest,
  type UserId,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, call, type Loaded } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { reloadProfile } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';

/** Another moderator may have acted, or a new report arrived. */
const ASK_EVERY_MS = 4_000;
/** Cache key prefix of all moderation data. */
const KEY = 'moderation';
const live = { refetchInterval: ASK_EVERY_MS };

/** The error after losing the role. */
const isRoleMissing = (error: unknown) =>
  error instanceof ApiError &&
  (error.errorName === 'moderatorsOnly' || error.errorName === 'adminsOnly');

/** Reloads the profile when the role is taken away, so that no evidence stays visible. */
export function useRoleEnd(userId: UserId): void {
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        const hasFailed = event.type === 'updated' && event.action.type === 'error';
        if (!hasFailed || event.query.queryKey[0] !== KEY) return;
        if (isRoleMissing(event.query.state.error)) reloadProfile(userId);
      }),
    [userId],
  );
}

/** Evidence that never changes, loaded when shown. */
export const useEvidence = <T>(
  key: readonly unknown[],
  load: (signal: AbortSignal) => Promise<T>,
): Loaded<T> => useLoaded([KEY, 'evidence', ...key], load, { staleTime: Infinity });

/** A list with further pages. */
export interface LoadedList<Item> extends Loaded<readonly Item[]> {
  /** Loads the next page; null at the end. */
  readonly more: (() => void) | null;
}

interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly next: number | null;
}

function useList<Item>(
  key: readonly unknown[],
  load: (before: number | undefined, signal: AbortSignal) => Promise<ListPage<Item>>,
): LoadedList<Item> {
  const [pageCount, setPageCount] = useState(1);
  const loaded = useLoaded<ListPage<Item>>(
    [KEY, ...key, pageCount],
    async (signal) => {
      let { items, next } = await load(undefined, signal);
      for (let page = 1; page < pageCount && next !== null; page += 1) {
        const more = await load(next, signal);
        items = [...items, ...more.items];
        next = more.next;
      }
      return { items, next };
    },
    // Old pages are not polled.
    { ...(pageCount === 1 && live), placeholderData: (shown) => shown },
  );
  const hasMore = (loaded.value?.next ?? null) !== null;
  return {
    ...loaded,
    value: loaded.value?.items ?? null,
    more: hasMore ? () => setPageCount(pageCount + 1) : null,
  };
}

/** The cases of one filter, polled every few seconds. */
export const useCases = (filter: CaseFilter): LoadedList<CaseSummary> =>
  useList(['cases', filter], async (before, signal) => {
    const { cases, next } = await call(getCases, { query: { filter, before } }, { signal });
    return { items: cases, next };
  });

export const useAppeals = (): LoadedList<Appeal> =>
  useList(['appeals'], async (_before, signal) => {
    const { appeals } = await call(getAppeals, {}, { signal });
    return { items: appeals, next: null };
  });

/** The filter of the audit log. */
export type AuditQuery = Omit<RouteRequest<typeof getAuditEvents>['query'], 'before'>;

export const useAuditEvents = (query: AuditQuery): LoadedList<AuditEvent> =>
  useList(['audit', query], async (before, signal) => {
    const { events, next } = await call(
      getAuditEvents,
      { query: { ...query, before } },
      { signal },
    );
    return { items: events, next };
  });

const caseKey = (caseId: CaseId) => [KEY, 'case', caseId] as const;

export const useCase = (caseId: CaseId): Loaded<CaseDetail> =>
  useLoaded(caseKey(caseId), (signal) => call(getCase, { params: { caseId } }, { signal }), live);

/** A case as it was loaded last. */
export const shownCase = (caseId: CaseId) => queryClient.getQueryData<CaseDetail>(caseKey(caseId));

/** Stores a case from the answer to an action. */
export const takeCase = (answered: CaseDetail) =>
  queryClient.setQueryData(caseKey(answered.caseId), answered);

/** Runs an action as a moderator; a refusal is shown in a toast, and all shown data is reloaded. */
export function useAction<Given, Answer>(
  work: (given: Given) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const { mutate, mutateAsync, isPending } = useMutation({
    mutationFn: work,
    onSuccess: onDone,
    onError: (error) => notifyFailure(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [KEY] }),
  });
  return { run: mutate, runAsync: mutateAsync, isRunning: isPending };
}

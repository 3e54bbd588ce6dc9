import {
  GROUPS_PER_PAGE,
  type GroupCard,
  type GroupId,
  getGroup,
  getGroupCard,
  getGroupMonth,
  getGroupRequests,
  getGroupSessions,
  getOwnGroups,
  listGroups,
  type StudyMonth,
  type UserId,
} from '@mogakgong/contract';
import { useState } from 'react';
import { asRefusal, call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import type { StudyQuery } from '../../shared/ui/study-search.tsx';

/** Outside a room no notice reports a change. */
const REFRESH_MS = 20_000;
const LIVE = {
  refetchInterval: REFRESH_MS,
  refetchOnMount: 'always',
  refetchOnWindowFocus: 'always',
} as const;

/** All data about groups that this learner sees; the notice `changed: groups` reads it again. */
export const groupsKey = (userId: UserId) => [...learnerKey(userId), 'groups'] as const;

/** How a call for data about groups ends: with the query that asks, and a text of its own where it fails. */
type CallOptions = { readonly signal: AbortSignal; readonly fallback: string };

/**
 * Data about groups.
 * @param place of the data below `groupsKey`.
 */
function useGroupData<T>(
  userId: UserId,
  place: readonly unknown[],
  load: (options: CallOptions) => Promise<T>,
  options: Parameters<typeof useLoaded<T>>[2] = LIVE,
) {
  const { t } = useTranslation(groupsTexts);
  const fallback = t('groups.loadFailed');
  return useLoaded(
    [...groupsKey(userId), ...place],
    (signal) => load({ signal, fallback }),
    options,
  );
}

/** The groups of the learner, with live numbers. */
export const useOwnGroups = (userId: UserId) =>
  useGroupData(userId, ['own'], (options) => call(getOwnGroups, {}, options));

/** The first pages of the list, as many as were asked for; groups move between pages meanwhile. */
export function useListedGroups(userId: UserId, { text, category }: StudyQuery) {
  const [pages, setPages] = useState(1);
  const load = async (options: CallOptions) => {
    const lists = await Promise.all(
      Array.from({ length: pages }, (_, index) => {
        const query = { page: index + 1, text: text || undefined, category };
        return call(listGroups, { query }, options);
      }),
    );
    const groups = new Map<GroupId, GroupCard>();
    for (const group of lists.flatMap((list) => list.groups)) groups.set(group.groupId, group);
    return { groups: [...groups.values()], total: lists[0]?.total ?? 0 };
  };
  const list = useGroupData(userId, ['listed', text, category, pages], load, {
    ...LIVE,
    placeholderData: (before) => before,
  });
  const hasMore = (list.value?.total ?? 0) > pages * GROUPS_PER_PAGE;
  return { list, hasMore, showMore: () => setPages(pages + 1) };
}

/** A group as its members see it; a refusal for everybody else. */
export const useGroup = (userId: UserId, groupId: GroupId) =>
  useGroupData(userId, [groupId], (options) =>
    call(getGroup, { params: { groupId } }, options).catch(asRefusal('groupMembersOnly')),
  );

/** A group as learners outside see it, and the learner's relation to it. */
export const useGroupCard = (userId: UserId, groupId: GroupId) =>
  useGroupData(userId, [groupId, 'card'], (options) =>
    call(getGroupCard, { params: { groupId } }, options).catch(
      asRefusal('groupNotFound', 'blockedPersonInGroup'),
    ),
  );

/** The attendance of a month, of today's without one. */
export const useGroupMonth = (userId: UserId, groupId: GroupId, month?: StudyMonth) =>
  useGroupData(
    userId,
    [groupId, 'month', month],
    (options) => call(getGroupMonth, { params: { groupId }, query: { month } }, options),
    { ...LIVE, refetchInterval: 3 * REFRESH_MS, placeholderData: (before) => before },
  );

export const useGroupSessions = (userId: UserId, groupId: GroupId) =>
  useGroupData(userId, [groupId, 'sessions'], (options) =>
    call(getGroupSessions, { params: { groupId } }, options),
  );

/** Learners waiting for the answer of a leader. */
export const useGroupRequests = (userId: UserId, groupId: GroupId) =>
  useGroupData(userId, [groupId, 'requests'], (options) =>
    call(getGroupRequests, { params: { groupId } }, options),
  );

/** Reads everything about groups again that is shown. */
export const reloadGroups = (userId: UserId): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: groupsKey(userId) });

/** Changes something about a group, one change at a time; resolves to whether it was done. */
export function useGroupChange(userId: UserId) {
  const { t } = useTranslation(groupsTexts);
  const [isBusy, setIsBusy] = useState(false);
  const change = async (work: () => Promise<unknown>, done?: string): Promise<boolean> => {
    if (isBusy) return false;
    setIsBusy(true);
    try {
      await work();
      if (done !== undefined) notify.toast(done, 'good');
      return true;
    } catch (error) {
      notifyFailure(error, t('groups.failed'));
      return false;
    } finally {
      // Also after a failure: somebody else may have changed it.
      await reloadGroups(userId);
      setIsBusy(false);
    }
  };
  return { isBusy, change };
}

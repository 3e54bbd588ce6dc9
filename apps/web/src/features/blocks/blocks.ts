import { getBlocks, type UserId } from '@mogakgong/contract';
import { useMemo } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { call } from '../../shared/api/index.ts';
import { storageKeys } from '../../shared/lib/storage-keys.ts';

interface Blocks {
  /** The owner of the list: another learner may log in at this browser. */
  readonly userId: UserId | null;
  readonly blockedIds: readonly UserId[];
}

const none: Blocks = { userId: null, blockedIds: [] };

/** The people the learner blocks: the server decides, this browser remembers (specification §9). */
const useBlocks = create(persist(() => none, { name: storageKeys.blocked, version: 1 }));

const idsOf = (userId: UserId, blocks: Blocks) =>
  (blocks.userId === userId ? blocks : none).blockedIds;

/** The ids this learner blocks; the same set until it changes. */
export function useBlockedIds(userId: UserId): ReadonlySet<UserId> {
  const blockedIds = useBlocks((blocks) => idsOf(userId, blocks));
  return useMemo(() => new Set(blockedIds), [blockedIds]);
}

/** The ids this learner blocks now. */
export function blockedIdsOf(userId: UserId): ReadonlySet<UserId> {
  return new Set(idsOf(userId, useBlocks.getState()));
}

/** Calls back when the list of blocked learners changes. Returns a cleanup function. */
export const onBlocksChanged = useBlocks.subscribe;

/** Stores the server's list. */
export function setBlockedIds(userId: UserId, blockedIds: readonly UserId[]): void {
  useBlocks.setState({ userId, blockedIds });
}

/** Fetches the list. Without an answer, the list remembered by this browser stays. */
export async function loadBlocks(userId: UserId): Promise<void> {
  try {
    const { blockedIds } = await call(getBlocks, {});
    setBlockedIds(userId, blockedIds);
  } catch {
    // It is fetched again with the next room, and a notice brings every change.
  }
}

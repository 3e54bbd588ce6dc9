import { blockUser, getBlocks, UserId, unblockUser } from '@mogakgong/contract';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { call } from '../../shared/api/index.ts';
import { storageKeys } from '../../shared/lib/storage-keys.ts';

/** The blocked learners' own key (specification §9). */
const BLOCKED_KEY = storageKeys.blocked;

interface Blocks {
  /** Whose list it is: another learner may log in at this browser. */
  readonly userId: number | null;
  readonly blockedIds: readonly number[];
}

/** Whom the learner blocks: the server decides, this browser remembers. */
const useBlocks = create<Blocks>()(
  persist((): Blocks => ({ userId: null, blockedIds: [] }), { name: BLOCKED_KEY, version: 1 }),
);

const nobody: ReadonlySet<number> = new Set();
const sets = new WeakMap<readonly number[], ReadonlySet<number>>();

function setOf(blockedIds: readonly number[]): ReadonlySet<number> {
  const known = sets.get(blockedIds) ?? new Set(blockedIds);
  sets.set(blockedIds, known);
  return known;
}

function blockedBy(userId: number, blocks: Blocks): ReadonlySet<number> {
  return blocks.userId === userId ? setOf(blocks.blockedIds) : nobody;
}

/** Whom this learner blocks; the same set until it changes. */
export function useBlockedIds(userId: number): ReadonlySet<number> {
  return useBlocks((blocks) => blockedBy(userId, blocks));
}

/** Whom this learner blocks now. */
export function blockedIdsOf(userId: number): ReadonlySet<number> {
  return blockedBy(userId, useBlocks.getState());
}

/** Calls back when the list of blocked learners changed; answers how to stop that. */
export const onBlocksChanged = useBlocks.subscribe;

/** Takes over what the server says. */
export function setBlockedIds(userId: number, blockedIds: readonly number[]): void {
  useBlocks.setState({ userId, blockedIds });
}

/** Fetches the list. Without an answer what this browser remembers stays. */
export async function loadBlocks(userId: number): Promise<void> {
  try {
    const { blockedIds } = await call(getBlocks, {});
    setBlockedIds(userId, blockedIds);
  } catch {
    // It is fetched again with the next room, and a notice brings every change.
  }
}

/** Blocks or unblocks somebody. Throws `ApiError` with `fallback` as the last text. */
export async function setBlocked(
  userId: number,
  otherId: number,
  isBlocked: boolean,
  fallback: string,
): Promise<void> {
  const request = { params: { blockedId: UserId.parse(otherId) } };
  const { blockedIds } = await (isBlocked
    ? call(blockUser, request, { fallback })
    : call(unblockUser, request, { fallback }));
  setBlockedIds(userId, blockedIds);
}

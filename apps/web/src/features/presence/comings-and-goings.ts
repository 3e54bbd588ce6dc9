import type { Member } from '@mogakgong/contract';

/** Who came and who went between two moments, without oneself. */
export function comingsAndGoings(
  before: readonly Member[],
  after: readonly Member[],
  selfId: number,
): { readonly came: readonly Member[]; readonly went: readonly Member[] } {
  const missingIn = (members: readonly Member[]) => {
    const ids = new Set<number>(members.map(({ userId }) => userId));
    return ({ userId }: Member) => userId !== selfId && !ids.has(userId);
  };
  return { came: after.filter(missingIn(before)), went: before.filter(missingIn(after)) };
}

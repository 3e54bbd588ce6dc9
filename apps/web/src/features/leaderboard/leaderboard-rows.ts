import { type LeaderboardPerson, leaderboardMs, MINUTE_MS, type UserId } from '@mogakgong/contract';

/** With fewer people, one rank reveals the others. */
const RANKED_FROM = 4;
/** Number of rows shown before and after the learner. */
const NEIGHBOURS = 3;

export interface LeaderboardRow {
  readonly person: LeaderboardPerson;
  /** Focus time today, in whole minutes. */
  readonly minutes: number;
  /** Set only in the first half (decision 099). */
  readonly rank: number | null;
}

/** Each person's whole minutes at a moment of the server's time. */
export function minutesOf(people: readonly LeaderboardPerson[], serverNowMs: number): number[] {
  return people.map((person) => Math.floor(leaderboardMs(person, serverNowMs) / MINUTE_MS));
}

/**
 * People by their minutes of today, most first; people with equal minutes share a rank and are listed by
 * name.
 * @param minutes of each person, in the same order.
 */
export function leaderboardRows(
  people: readonly LeaderboardPerson[],
  minutes: readonly number[],
): readonly LeaderboardRow[] {
  const rankOf = (own: number) => 1 + minutes.filter((others) => others > own).length;
  return people
    .map((person, index) => {
      const own = minutes[index] ?? 0;
      const rank = rankOf(own);
      const isRanked = people.length >= RANKED_FROM && own > 0 && rank <= people.length / 2;
      return { person, minutes: own, rank: isRanked ? rank : null };
    })
    .sort(
      (a, b) =>
        b.minutes - a.minutes ||
        a.person.nickname.localeCompare(b.person.nickname) ||
        a.person.userId - b.person.userId,
    );
}

/** The rows around the learner's own: equally many on each side, seven in all if there are so many. */
export function rowsNear(
  rows: readonly LeaderboardRow[],
  userId: UserId,
): readonly LeaderboardRow[] {
  const own = rows.findIndex(({ person }) => person.userId === userId);
  const size = 2 * NEIGHBOURS + 1;
  const start = Math.max(0, Math.min(own - NEIGHBOURS, rows.length - size));
  return rows.slice(start, start + size);
}

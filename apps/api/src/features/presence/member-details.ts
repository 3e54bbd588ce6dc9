import {
  type FocusClock,
  type Member,
  stillClock,
  type UserId,
  type VisibleGoal,
} from '@mogakgong/contract';
import type { FocusService } from '../focus/index.ts';
import type { Roster } from '../rooms/index.ts';
import type { TitledCard, UsersService } from '../users/index.ts';

/** The data of a tile beside seat and status. */
export interface MemberDetails {
  readonly card: TitledCard;
  readonly clock: FocusClock;
  readonly goal?: VisibleGoal | undefined;
  readonly subject?: string | undefined;
}

/** The data of tiles. To be read after the roster, so that it is never older than its number. */
export async function findDetails(
  { users, focus }: { readonly users: UsersService; readonly focus: FocusService },
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, MemberDetails>> {
  const [cards, clocks, days] = await Promise.all([
    users.findCards(userIds),
    focus.findClocks(userIds),
    focus.findShownDays(userIds),
  ]);
  return new Map(
    [...cards].map(([userId, card]) => {
      const clock = clocks.get(userId) ?? stillClock('idle', 0);
      const { goal, subject } = days.get(userId) ?? {};
      return [userId, { card, clock, goal, subject }];
    }),
  );
}

export function membersOf(roster: Roster, details: ReadonlyMap<UserId, MemberDetails>): Member[] {
  return roster.members.flatMap((seated) => {
    const known = details.get(seated.userId);
    return known ? memberOf(seated, known) : [];
  });
}

export function memberOf(
  { userId, isConnected }: Roster['members'][number],
  { card, clock, goal, subject }: MemberDetails,
): Member {
  const connection = isConnected ? 'here' : 'lost';
  const shown = { ...(goal && { goal }), ...(subject && { subject }) };
  return { userId, ...card, connection, clock, ...shown };
}

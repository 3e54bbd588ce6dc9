import {
  applyPresenceChange,
  type Member,
  type PresenceChange,
  type PresenceMessage,
  type RoomId,
  stillClock,
  type UserId,
} from '@mogakgong/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type RoomSnapshot, RosterFeed } from './roster-feed.ts';

const member = (id: number): Member => ({
  userId: id as UserId,
  nickname: `n${id}`,
  profileImage: 'default.jpg',
  title: null,
  connection: 'here',
  clock: stillClock('idle', 0),
});

const changes: fc.Arbitrary<PresenceChange[]> = fc.array(
  fc
    .integer({ min: 1, max: 5 })
    .chain((id) =>
      fc.constantFrom<PresenceChange>(
        { type: 'joined', member: member(id) },
        { type: 'left', userId: id as UserId },
        { type: 'connectionLost', userId: id as UserId },
        { type: 'cameBack', userId: id as UserId },
      ),
    ),
  { minLength: 1, maxLength: 25 },
);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A room that changes while its feed receives events late, twice, in any order or never. */
it('brings every subscriber to the truth, without ever continuing behind a hole', async () => {
  await fc.assert(
    fc.asyncProperty(
      changes,
      fc.infiniteStream(fc.integer({ min: 0, max: 9 })),
      async (truth, dice) => {
        let members: readonly Member[] = [];
        let number = 0;
        const sent: PresenceMessage[] = [];
        const feed = new RosterFeed({
          roomId: 1 as RoomId,
          publish: (message) => void sent.push(message),
          loadSnapshot: async () => ({ number, members }),
          nowMs: () => 0,
          onFailure: (error) => {
            throw error;
          },
        });
        await feed.giveSnapshot((message) => void sent.push(message));
        const late: { number: number; change: PresenceChange }[] = [];
        for (const change of truth) {
          number += 1;
          members = applyPresenceChange(members, change);
          const roll = dice.next().value ?? 0;
          if (roll < 5) feed.receive([{ number, change }]);
          else if (roll < 8) late.unshift({ number, change });
          if (roll === 9) feed.receive([{ number, change }]);
        }
        feed.receive(late);
        feed.expectUpTo(number);
        await vi.advanceTimersByTimeAsync(1_000);
        let seenNumber = 0;
        let seen: readonly Member[] = [];
        for (const message of sent) {
          if (message.kind === 'snapshot') {
            expect(message.number).toBeGreaterThanOrEqual(seenNumber);
            seen = message.members;
          } else {
            expect(message.number).toBe(seenNumber + 1);
            seen = applyPresenceChange(seen, message.change);
          }
          seenNumber = message.number;
        }
        expect({ seenNumber, seen }).toEqual({ seenNumber: number, seen: members });
        feed.close();
      },
    ),
    { numRuns: 200 },
  );
});

it('of a room that was deleted gives nothing, after one look', async () => {
  const members = [member(1)];
  let snapshot: RoomSnapshot | null = { number: 5, members };
  let loads = 0;
  const sent: PresenceMessage[] = [];
  const feed = new RosterFeed({
    roomId: 1 as RoomId,
    publish: (message) => void sent.push(message),
    loadSnapshot: async () => {
      loads += 1;
      return snapshot;
    },
    nowMs: () => 0,
    onFailure: (error) => {
      throw error;
    },
  });
  await feed.giveSnapshot(() => undefined);
  snapshot = null;
  const taken: PresenceMessage[] = [];
  await feed.giveSnapshot((message) => void taken.push(message));
  expect({ loads, taken, sent: sent.length }).toEqual({ loads: 2, taken: [], sent: 1 });
  feed.close();
});

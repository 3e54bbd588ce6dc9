import {
  applyPresenceChange,
  destinations,
  type Member,
  type PresenceMessage,
  putGoal,
  type RoomId,
  type TimerMove,
} from '@mogakgong/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestClients, type Received } from '../../../test/stomp-client.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

/** Begin, seat, visit, change, commit; today with the tile's data; titles. */
const STATEMENTS_MAX = 7;
const LEARNERS = 20;

const { app } = await openTestSite();
const clients = createTestClients();
afterAll(() => clients.closeAll());
let room: RoomId;
let received: Received[];
const learners: Learner[] = [];
beforeAll(async () => {
  for (let count = 0; count < LEARNERS; count += 1) {
    const learner = await app.newLearner();
    learners.push(learner);
    room = await app.seat(learner, room);
  }
  const goal = { targetMinutes: 60, tasks: [], isVisible: true };
  for (const { headers } of learners.slice(0, 5)) {
    await app.inject({ method: 'PUT', url: putGoal.path, payload: goal, headers });
  }
  const [host] = learners as [Learner];
  received = await (await clients.connectAs(app, host)).subscribe(destinations.presence);
  // Statements of their arrival do not belong to a move.
  await vi.waitFor(() => {
    expect(app.queries.join()).toContain('touched as (');
    expect(app.queries.join()).toContain('set is_connected');
  });
});

function membersAfter(messages: readonly Received[]): readonly Member[] {
  return messages.reduce<readonly Member[]>((members, { body }) => {
    const message = body as PresenceMessage;
    return message.kind === 'snapshot'
      ? message.members
      : applyPresenceChange(members, message.change);
  }, []);
}

/** Moves learners at once, and waits until the room has seen it; returns the number of statements. */
async function countMoves(movers: readonly Learner[], what: TimerMove): Promise<number> {
  app.clock.advance(1_000);
  const seen = received.length;
  app.queries.splice(0);
  const answers = await Promise.all(movers.map((mover) => app.move(mover, what, room)));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  await vi.waitFor(() => expect(received.length).toBe(seen + movers.length));
  await vi.waitFor(() => expect(app.queries.join()).toContain('user_title'));
  // On a slow machine a heartbeat may fall in between: it does not belong to a move.
  return app.queries.filter((query) => !query.includes('touched as (')).length;
}

it('a move costs at most seven statements, with a room and a visible goal to publish', async () => {
  for (const mover of [learners[0], learners[7]] as Learner[]) {
    expect(await countMoves([mover], 'pause')).toBeLessThanOrEqual(STATEMENTS_MAX);
    expect(await countMoves([mover], 'resume')).toBeLessThanOrEqual(STATEMENTS_MAX);
  }
});

it('twenty moves at once share what is looked up for them', async () => {
  const statements = await countMoves(learners, 'pause');
  // Transactions have five each; the rest is for all of them.
  expect(statements - 5 * LEARNERS).toBeLessThanOrEqual(LEARNERS);
  const latecomer = await app.newLearner();
  await app.leave(learners[1] as Learner);
  await app.seat(latecomer, room);
  const fresh = await (await clients.connectAs(app, latecomer)).subscribe(destinations.presence);
  await vi.waitFor(() => {
    const byId = (members: readonly Member[]) => members.toSorted((a, b) => a.userId - b.userId);
    expect(byId(membersAfter(received))).toEqual(byId(membersAfter(fresh)));
    expect(membersAfter(fresh)).toHaveLength(LEARNERS);
  });
});

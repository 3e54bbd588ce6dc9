import {
  applyPresenceChange,
  destinations,
  type Member,
  type PresenceMessage,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { compareAll } from '../../../test/compare-all.ts';
import type { Received, TestClient } from '../../../test/stomp-client.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room'] });

const connect = (learner: Learner) => clients.connectAs(app, learner);

async function watch(learner: Learner): Promise<Received[]> {
  return (await connect(learner)).subscribe(destinations.presence);
}

const messagesOf = (received: readonly Received[]) =>
  received.map(({ body }) => body as PresenceMessage);

/** The members of a client in the end: snapshot and changes, each exactly at its number. */
function membersAfter(received: readonly Received[]): readonly Member[] {
  let number = -1;
  let members: readonly Member[] = [];
  for (const message of messagesOf(received)) {
    if (message.kind === 'snapshot') {
      members = message.members;
    } else {
      expect(message.number).toBe(number + 1);
      members = applyPresenceChange(members, message.change);
    }
    number = message.number;
  }
  return members;
}

const byId = (members: readonly Member[]) => members.toSorted((a, b) => a.userId - b.userId);
const changesOf = (received: readonly Received[]) =>
  messagesOf(received).flatMap((message) => (message.kind === 'change' ? [message.change] : []));

describe('presence', () => {
  it('begins with a snapshot of the members', async () => {
    const [host, guest] = [await app.newLearner(), await app.newLearner()];
    const room = await app.seat(host);
    await app.seat(guest);
    const [snapshot] = messagesOf(await watch(host));
    expect(snapshot).toMatchObject({
      kind: 'snapshot',
      roomId: room,
      members: [
        { userId: host.userId, nickname: host.nickname, profileImage: 'default.jpg' },
        { userId: guest.userId, connection: 'here', clock: { status: 'focus' }, title: null },
      ],
    });
  });

  it('publishes joining and leaving, each with the next number', async () => {
    const [host, guest] = [await app.newLearner(), await app.newLearner()];
    await app.seat(host);
    const received = await watch(host);
    await app.seat(guest);
    await vi.waitFor(() => expect(changesOf(received)).toHaveLength(1));
    await app.leave(guest);
    await vi.waitFor(() => expect(changesOf(received)).toHaveLength(2));
    expect(changesOf(received)).toEqual([
      { type: 'joined', member: expect.objectContaining({ nickname: guest.nickname }) },
      { type: 'left', userId: guest.userId },
    ]);
    expect(membersAfter(received).map((member) => member.userId)).toEqual([host.userId]);
  });

  it('publishes when a connection is lost for more than a moment, and when it is back', async () => {
    const [host, guest] = [await app.newLearner(), await app.newLearner()];
    await app.seat(host);
    await app.seat(guest);
    const received = await watch(host);
    const connection = await connect(guest);
    connection.cut();
    await vi.waitFor(
      () => expect(changesOf(received)).toEqual([{ type: 'connectionLost', userId: guest.userId }]),
      { timeout: 8_000 },
    );
    expect(membersAfter(received).find(({ userId }) => userId === guest.userId)?.connection).toBe(
      'lost',
    );
    await connect(guest);
    await vi.waitFor(() =>
      expect(changesOf(received).at(-1)).toEqual({ type: 'cameBack', userId: guest.userId }),
    );
  });

  it('follows a learner who moves, and tells nothing of other rooms', async () => {
    const [mover, stays, other] = [
      await app.newLearner(),
      await app.newLearner(),
      await app.newLearner(),
    ];
    const [one, two] = [await app.openRoom(), await app.openRoom()];
    await app.seat(mover, one);
    await app.seat(stays, one);
    const received = await watch(mover);
    await app.leave(mover);
    await app.seat(mover, two);
    await vi.waitFor(() =>
      expect(messagesOf(received).filter(({ kind }) => kind === 'snapshot')).toHaveLength(2),
    );
    const seen = received.length;
    await app.leave(stays);
    await app.seat(other, two);
    await vi.waitFor(() => expect(changesOf(received).at(-1)).toMatchObject({ type: 'joined' }));
    const later = messagesOf(received).slice(seen);
    expect(later.every(({ roomId }) => roomId === two)).toBe(true);
    expect(membersAfter(received.slice(-2)).map(({ userId }) => userId)).toContain(other.userId);
  });

  it('repairs a change whose event was lost', async () => {
    const [host, guest] = [await app.newLearner(), await app.newLearner()];
    const room = await app.seat(host);
    const received = await watch(host);
    // As if another process had seated the guest and its event had been lost.
    await sql`
      with seated as (
        insert into seat (user_id, room_id, entered_at, last_seen_at)
        values (${guest.userId}, ${room}, now(), now())
      )
      update study_room set occupancy = occupancy + 1, roster_number = roster_number + 1
      where id = ${room}`.execute(app.database);
    await compareAll(app, 'events of /topic/presence');
    await vi.waitFor(() =>
      expect(membersAfter(received).map(({ userId }) => userId)).toEqual([
        host.userId,
        guest.userId,
      ]),
    );
  });

  it('is the same for an earlier client and a newcomer, whatever happened between', async () => {
    const room = await app.openRoom();
    const learners = await Promise.all(Array.from({ length: 8 }, () => app.newLearner()));
    const [witness, ...crowd] = learners as [Learner, ...Learner[]];
    await app.seat(witness, room);
    const received = await watch(witness);
    const connections = new Map<Learner, TestClient>();
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(
        crowd.map(async (learner, index) => {
          const turn = (round * 5 + index * 3) % 4;
          if (turn === 0) await app.seat(learner, room);
          if (turn === 1) connections.set(learner, await connect(learner));
          if (turn === 2) await app.leave(learner);
          if (turn === 3) connections.get(learner)?.cut();
        }),
      );
    }
    // A newcomer's snapshot must equal the state assembled by the earlier client.
    const newcomer = await app.newLearner();
    await app.seat(newcomer, room);
    await vi.waitFor(
      async () => {
        const fresh = membersAfter(await watch(newcomer));
        expect(byId(membersAfter(received))).toEqual(byId(fresh));
        expect(fresh.length).toBeGreaterThan(1);
      },
      { timeout: 10_000 },
    );
  });
});

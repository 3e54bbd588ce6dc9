import {
  destinations,
  FRIENDS,
  type Friends,
  type Notice,
  type RoomPlan,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite({
  emptied: [
    ...['friendship', 'friend_sharing', 'friend_invitation', 'hosted_room', 'block'],
    ...['sanction', 'seat', 'study_group', 'study_room'],
  ],
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const send = ({ headers }: Learner, method: Method, url: string, payload?: object) =>
  app.inject({ method, url, headers, ...(payload && { payload }) });
const friendsOf = async (learner: Learner): Promise<Friends> =>
  (await send(learner, 'GET', '/api/friends')).json();
const share = (learner: Learner, sharesState = true) =>
  send(learner, 'PUT', '/api/friends/sharing', { sharesState });
const invite = (learner: Learner, { userId }: Learner) =>
  send(learner, 'POST', `/api/friends/${userId}/invitation`);
const invitationsOf = async (learner: Learner) =>
  (await friendsOf(learner)).invitations.map(({ from }) => from.userId);

/** Two friends; both show their state unless stated otherwise. */
async function twoFriends(shares = true) {
  const [one, other] = [await app.newLearner(), await app.newLearner()];
  await sql`
    insert into friendship (user_id, friend_id, since)
    values (${one.userId}, ${other.userId}, now()), (${other.userId}, ${one.userId}, now())
  `.execute(app.database);
  if (shares) await Promise.all([share(one), share(other)]);
  return { one, other };
}

const openRoom = (host: Learner, plan: Partial<RoomPlan> = {}) => app.openHostedRoom(host, plan);

describe('the state of a friend', () => {
  it('is seen only while both show it, in three queries', async () => {
    const { one, other } = await twoFriends(false);
    const roomId = await app.seat(other);
    await app.move(other, 'start', roomId);
    expect((await share(one)).json()).toMatchObject({ sharesState: true, states: [] });
    await share(other);
    app.queries.splice(0);
    const { states } = await friendsOf(one);
    expect(app.queries.filter((text) => /friend|users|block/u.test(text))).toHaveLength(3);
    expect(states).toEqual([
      { userId: other.userId, status: 'focus', place: { roomId, way: 'sit' } },
    ]);
    expect((await friendsOf(other)).states).toEqual([]);
    await app.move(other, 'pause', roomId);
    expect((await friendsOf(one)).states[0]?.status).toBe('pause');
    await share(other, false);
    expect((await friendsOf(one)).states).toEqual([]);
    await share(other);
    await share(one, false);
    expect(await friendsOf(one)).toMatchObject({ sharesState: false, states: [] });
  });

  it('is not seen by anybody else, nor after the friendship', async () => {
    const { one, other } = await twoFriends();
    const stranger = await app.newLearner();
    await share(stranger);
    await app.seat(other);
    expect((await friendsOf(stranger)).states).toEqual([]);
    await send(one, 'DELETE', `/api/friends/${other.userId}`);
    expect((await friendsOf(one)).states).toEqual([]);
  });

  const wayTo = async (learner: Learner) =>
    (await friendsOf(learner)).states[0]?.place?.way ?? null;

  it('names the way into their room: beside them, or by a request', async () => {
    const { one, other } = await twoFriends();
    const open = await openRoom(other);
    await app.seat(other, open);
    expect(await wayTo(one)).toBe('sit');
    await app.seat(one, open);
    expect(await wayTo(one)).toBe('here');
    await app.leave(one);
    await app.leave(other);
    await send(other, 'DELETE', `/api/hosted-rooms/${open}`);
    const guarded = await openRoom(other, { needsApproval: true });
    await app.seat(other, guarded);
    expect(await wayTo(one)).toBe('ask');
  });

  it('names no way by a request while the host is away', async () => {
    const { one, other } = await twoFriends();
    const host = await app.newLearner();
    const guarded = await openRoom(host, { needsApproval: true });
    await app.seat(host, guarded);
    await sql`
      insert into room_guest values (${other.userId}, ${guarded}, 'admitted', now(), now())
    `.execute(app.database);
    await app.seat(other, guarded);
    expect(await wayTo(one)).toBe('ask');
    await app.leave(host);
    expect(await wayTo(one)).toBeNull();
  });

  it('names no way, and no room, where the learner could not enter', async () => {
    const { one, other } = await twoFriends();
    const roomId = await app.seat(other);
    const { rows } = await sql<{ capacity: number }>`
      select capacity from study_room where id = ${roomId}`.execute(app.database);
    await sql`update study_room set capacity = 1`.execute(app.database);
    expect((await friendsOf(one)).states[0]?.place).toBeNull();
    await sql`update study_room set capacity = ${rows[0]?.capacity}`.execute(app.database);
    expect(await wayTo(one)).toBe('sit');
    const third = await app.newLearner();
    await app.seat(third, roomId);
    await send(one, 'PUT', `/api/blocks/${third.userId}`);
    expect(await wayTo(one)).toBeNull();
    await send(one, 'DELETE', `/api/blocks/${third.userId}`);
    await sql`update study_room set kept_out = array[${one.userId}::bigint]`.execute(app.database);
    expect(await wayTo(one)).toBeNull();
    await sql`update study_room set kept_out = '{}', entry = 'invitation'`.execute(app.database);
    expect(await wayTo(one)).toBeNull();
    await sql`update study_room set entry = 'matched'`.execute(app.database);
    await sql`
      insert into sanction (user_id, kind, reason, room_id, imposed_at, ends_at, changed_at)
      values (${one.userId}, 'remove', 'rudeness', ${roomId}, now(), now() + interval '1 day', now())
    `.execute(app.database);
    expect(await wayTo(one)).toBeNull();
  });
});

describe('an invitation', () => {
  it('reaches a friend in another room, who may go or let it be', async () => {
    const { one, other } = await twoFriends();
    const roomId = await app.seat(one);
    await app.seat(other, await app.openRoom());
    const client = await clients.connectAs(app, other);
    const notices = await client.subscribe(destinations.notices);
    expect((await invite(one, other)).json()).toEqual({});
    const notice: Notice = { kind: 'friendInvitation', nickname: one.nickname, roomId };
    await vi.waitFor(() => expect(notices.map(({ body }) => body)).toContainEqual(notice));
    expect((await friendsOf(other)).invitations).toEqual([
      {
        from: { userId: one.userId, nickname: one.nickname, profileImage: 'default.jpg' },
        roomId,
      },
    ]);
    const declined = await send(other, 'DELETE', `/api/friends/${one.userId}/invitation`);
    expect(declined.json().invitations).toEqual([]);
  });

  it('does not reach a stranger, nor a friend who shows no state', async () => {
    const { one, other } = await twoFriends();
    const stranger = await app.newLearner();
    await app.seat(one);
    expect((await invite(one, stranger)).statusCode).toBe(200);
    expect(await invitationsOf(stranger)).toEqual([]);
    await share(other, false);
    expect((await invite(one, other)).statusCode).toBe(200);
    await share(other);
    expect(await invitationsOf(other)).toEqual([]);
  });

  it('reaches one friend once in five minutes', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' }, besides: app });
    try {
      const { one, other } = await twoFriends();
      await app.seat(one);
      await share(one, false);
      const again = () =>
        limited.inject({
          ...{ method: 'POST', url: `/api/friends/${other.userId}/invitation` },
          headers: one.headers,
        });
      // A refused one does not count.
      expect((await again()).json().error).toBe('stateNotShared');
      await share(one);
      await again();
      expect(await invitationsOf(other)).toEqual([one.userId]);
      await send(other, 'DELETE', `/api/friends/${one.userId}/invitation`);
      expect((await again()).statusCode).toBe(200);
      expect(await invitationsOf(other)).toEqual([]);
    } finally {
      await limited.close();
    }
  });

  it('needs a seat, the consent of the inviter, and no mute', async () => {
    const { one, other } = await twoFriends();
    const errorOf = async () => (await invite(one, other)).json().error;
    expect(await errorOf()).toBe('notSeated');
    await app.seat(one);
    await share(one, false);
    expect(await errorOf()).toBe('stateNotShared');
    await sql`
      insert into sanction (user_id, kind, reason, imposed_at, ends_at, changed_at)
      values (${one.userId}, 'muteChat', 'rudeness', now(), now() + interval '1 day', now())
    `.execute(app.database);
    await app.runJob('sanctions');
    expect(await errorOf()).toBe('chatMuted');
  });

  it('of a host admits the friend; that of a guest does not', async () => {
    const { one: host, other } = await twoFriends();
    const roomId = await openRoom(host, { needsApproval: true });
    await app.seat(host, roomId);
    const enter = async (learner: Learner) =>
      (
        await send(
          learner,
          'POST',
          `/api/study-rooms/enter?userId=${learner.userId}&roomId=${roomId}`,
        )
      ).json();
    expect((await enter(other)).error).toBe('approvalNeeded');
    await invite(host, other);
    expect((await enter(other)).roomId).toBe(roomId);
    const { one: guest, other: friend } = await twoFriends();
    await sql`
      insert into room_guest values (${guest.userId}, ${roomId}, 'admitted', now(), now())
    `.execute(app.database);
    await app.seat(guest, roomId);
    await invite(guest, friend);
    expect(await invitationsOf(friend)).toEqual([guest.userId]);
    expect((await enter(friend)).error).toBe('approvalNeeded');
  });

  it('of a leader admits nobody to the room of the group', async () => {
    const { one: leader, other } = await twoFriends();
    const groupId = await app.openGroup(leader);
    const { roomId } = (await send(leader, 'GET', `/api/groups/${groupId}`)).json();
    await app.seat(leader, roomId);
    await app.runJob('group hosts');
    expect((await invite(leader, other)).statusCode).toBe(200);
    const url = `/api/study-rooms/enter?userId=${other.userId}&roomId=${roomId}`;
    expect((await send(other, 'POST', url)).json().error).toBe('roomOfGroup');
  });

  it('ends when the inviter leaves, when the friend is there, and by itself', async () => {
    const { one, other } = await twoFriends();
    const roomId = await app.seat(one);
    await invite(one, other);
    await app.seat(other, roomId);
    expect(await invitationsOf(other)).toEqual([]);
    await app.leave(other);
    expect(await invitationsOf(other)).toEqual([one.userId]);
    await app.leave(one);
    expect(await invitationsOf(other)).toEqual([]);
    await app.seat(one, roomId);
    expect(await invitationsOf(other)).toEqual([one.userId]);
    app.clock.advance(FRIENDS.invitationMinutes * 60_000);
    expect(await invitationsOf(await app.renew(other))).toEqual([]);
    app.clock.advance(FRIENDS.invitationKeptHours * 60 * 60_000);
    await app.runJob('lapsed friend requests');
    const { rows } = await sql<{ from_id: UserId }>`
      select from_id from friend_invitation`.execute(app.database);
    expect(rows).toEqual([]);
  });
});

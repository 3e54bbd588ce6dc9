import {
  closeHostedRoom,
  destinations,
  errors,
  getHostView,
  type HostView,
  MINUTE_MS,
  type PresenceMessage,
  type RoomCard,
  type RoomId,
  type RoomPlan,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { untilLocked } from '../../../test/lock-waits.ts';
import { statusAndBody } from '../../../test/status-and-body.ts';
import type { Received } from '../../../test/stomp-client.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { createInProcessBackplane } from '../../platform/backplane/index.ts';

/** Two processes of one site. */
const backplane = createInProcessBackplane();
const { app, clients } = await openTestSite({ backplane, emptied: ['seat', 'study_room'] });
const { app: second } = await openTestSite({ backplane, besides: app });

const plan: RoomPlan = {
  name: '토익 900',
  goal: '하루 두 장',
  category: 'language',
  capacity: 4,
  isPublic: true,
  needsApproval: false,
  needsCamera: false,
};

const ask = statusAndBody(app, '/api');
const open = async (host: Learner, changes: Partial<RoomPlan> = {}): Promise<RoomId> =>
  (await ask(host, 'POST', 'hosted-rooms', { ...plan, ...changes })).body.roomId;
const enter = (learner: Learner, roomId?: RoomId) =>
  ask(
    learner,
    'POST',
    `study-rooms/enter?userId=${learner.userId}${roomId ? `&roomId=${roomId}` : ''}`,
  );
const admission = (learner: Learner, roomId: RoomId) =>
  ask(learner, 'GET', `study-rooms/${roomId}/admission`);
const askIn = (learner: Learner, roomId: RoomId, invitation?: string) =>
  ask(learner, 'POST', `study-rooms/${roomId}/admission`, { ...(invitation && { invitation }) });
const answer = (host: Learner, roomId: RoomId, guest: Learner, isAdmitted: boolean) =>
  ask(host, 'POST', `study-rooms/${roomId}/guests/${guest.userId}`, { isAdmitted });
const remove = (host: Learner, roomId: RoomId, guest: Learner) =>
  ask(host, 'DELETE', `study-rooms/${roomId}/guests/${guest.userId}`);
const removeHidden = (host: Learner, roomId: RoomId) =>
  ask(host, 'DELETE', `study-rooms/${roomId}/guests`);
const handOver = (host: Learner, roomId: RoomId, to: Learner) =>
  ask(host, 'POST', `study-rooms/${roomId}/host`, { newHostId: to.userId });
const close = (host: Learner, roomId: RoomId) => ask(host, 'DELETE', `hosted-rooms/${roomId}`);
const view = async (host: Learner, roomId: RoomId) =>
  (await ask(host, 'GET', `study-rooms/${roomId}/hosting`)).body as HostView;
const list = async (learner: Learner, page = 1) =>
  (await ask(learner, 'GET', `hosted-rooms?page=${page}`)).body as {
    rooms: RoomCard[];
    total: number;
    own: RoomCard | null;
  };
const newLearners = async (count: number) =>
  (await Promise.all(Array.from({ length: count }, () => app.newLearner()))) as [
    Learner,
    Learner,
    Learner,
    Learner,
  ];
const seatedIn = async (roomId: RoomId): Promise<UserId[]> => {
  const { rows } = await sql<{ userId: UserId }>`
    select user_id as "userId" from seat where room_id = ${roomId} order by user_id`.execute(
    app.database,
  );
  return rows.map(({ userId }) => userId);
};
const refused = (name: keyof typeof errors) => ({
  status: errors[name].status,
  body: { error: name },
});
const block = (blocker: Learner, blocked: Learner) =>
  app.inject({
    method: 'PUT',
    url: `/api/blocks/${blocked.userId}`,
    headers: blocker.headers,
  });

describe('opening a room', () => {
  it('shows it to everybody with its name, goal, host and how many sit there', async () => {
    const [host, other] = await newLearners(2);
    const roomId = await open(host, { name: '  토익   ９００ ' });
    await enter(host, roomId);
    const { rooms, total, own } = await list(other);
    const by = { hostId: host.userId, hostName: host.nickname };
    const card = { ...plan, roomId, ...by, learners: 1, isGroup: false };
    expect([rooms, total, own]).toEqual([[card], 1, null]);
    expect((await list(host)).own).toEqual(card);
  });

  it.each([
    ['a name of nothing', { name: '\u3164 \u200b' }],
    ['a hidden character in a name', { name: 'a\u202eb' }],
    ['a long name', { name: 'a'.repeat(31) }],
    ['a second line in a goal', { goal: 'a\nb' }],
    ['a long goal', { goal: 'a'.repeat(61) }],
  ])('refuses %s', async (_what, changes) => {
    const [host] = await newLearners(1);
    const answered = await ask(host, 'POST', 'hosted-rooms', { ...plan, ...changes });
    expect(answered).toMatchObject(refused('roomTextMalformed'));
  });

  it.each([1, 21, 2.5])('refuses a capacity of %s', async (capacity) => {
    const [host] = await newLearners(1);
    const answered = await ask(host, 'POST', 'hosted-rooms', { ...plan, capacity });
    expect(answered).toMatchObject(refused('invalidRequest'));
  });

  it('is possible for one room at a time, also by two tabs at once', async () => {
    const [host] = await newLearners(1);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => ask(host, 'POST', 'hosted-rooms', plan)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject(refused('roomOpenAlready'));
    const { rows } = await sql`select from study_room`.execute(app.database);
    expect(rows).toHaveLength(1);
    await close(host, (await list(host)).own?.roomId as RoomId);
    expect((await ask(host, 'POST', 'hosted-rooms', plan)).status).toBe(200);
  });
});

describe('the list of public rooms', () => {
  it('has the fullest with a free seat first and the full ones last, by pages, with two queries', async () => {
    const [reader] = await newLearners(1);
    await sql`
      with host as (
        insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
        select 'list' || n, 'list' || n, '', '', '', 'LOCAL' from generate_series(1, 45) as n returning id
      ), room as (
        insert into study_room (capacity, occupancy)
        select 4, n % 5 from generate_series(1, 45) as n returning id
      )
      insert into hosted_room (room_id, host_id, name, goal, is_public, needs_approval, needs_camera,
                               invitation, opened_at)
      select room.id, host.id, 'n', '', true, false, false, gen_random_uuid()::text, now()
      from (select id, row_number() over () from room) as room
      join (select id, row_number() over () from host) as host using (row_number)`.execute(
      app.database,
    );
    app.queries.splice(0);
    const first = await list(reader);
    expect(app.queries.filter((text) => text.includes('hosted_room'))).toHaveLength(2);
    const pages = [first, await list(reader, 2), await list(reader, 3)];
    const rooms = pages.flatMap((page) => page.rooms);
    expect(pages.map((page) => page.rooms.length)).toEqual([20, 20, 5]);
    expect(first.total).toBe(45);
    expect(new Set(rooms.map(({ roomId }) => roomId)).size).toBe(45);
    const counts = rooms.map(({ learners }) => learners);
    expect(counts).toEqual([3, 2, 1, 0, 4].flatMap((learners) => Array(9).fill(learners)));
  });

  it('is found by category, and by words of its name and goal', async () => {
    const [first, second, third, reader] = await newLearners(4);
    await open(first, { name: '토익 900', goal: '', category: 'language' });
    await open(second, { name: '새벽 Coding', goal: '알고리즘 100%', category: 'development' });
    await open(third, { name: '조용히', goal: '토익 단어', category: 'other' });
    const found = async (query: string) =>
      (await ask(reader, 'GET', `hosted-rooms?${query}`)).body.rooms
        .map(({ name }: RoomCard) => name)
        .toSorted();
    expect(await found('category=development')).toEqual(['새벽 Coding']);
    expect(await found(new URLSearchParams({ text: ' 토익 ' }).toString())).toEqual([
      '조용히',
      '토익 900',
    ]);
    expect(await found('text=coding')).toEqual(['새벽 Coding']);
    // Signs of patterns are words as others are.
    expect(await found('text=%25')).toEqual(['새벽 Coding']);
    expect(await found('text=_')).toEqual([]);
    expect(await found('text=coding&category=other')).toEqual([]);
    expect((await ask(reader, 'GET', 'hosted-rooms?category=law')).status).toBe(400);
  });

  it('leaves out private rooms, rooms of a blocked host and those one was removed from', async () => {
    const [host, other, third, reader] = await newLearners(4);
    await open(host, { isPublic: false });
    await open(other);
    await block(reader, other);
    const removedFrom = await open(third);
    await remove(third, removedFrom, reader);
    expect(await list(reader)).toEqual({ rooms: [], total: 0, own: null });
    expect((await list(host)).rooms).toHaveLength(2);
  });
});

describe('random matching', () => {
  it('fills a public room without conditions like any other', async () => {
    const [host, other] = await newLearners(2);
    const roomId = await open(host);
    await enter(host, roomId);
    expect((await enter(other)).body).toMatchObject({ roomId });
  });

  it.each([{ isPublic: false }, { needsApproval: true }, { needsCamera: true }])(
    'never seats anybody in a room of %j',
    async (changes) => {
      const [host, other] = await newLearners(2);
      const roomId = await open(host, changes);
      await enter(host, roomId);
      expect((await enter(other)).body.roomId).not.toBe(roomId);
    },
  );

  it('does not bring back a removed learner', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host);
    await enter(host, roomId);
    await enter(guest);
    await remove(host, roomId, guest);
    expect((await enter(guest)).body.roomId).not.toBe(roomId);
  });
});

describe('a private room', () => {
  it('is opened by its link alone, and by its number only for learners invited by the link', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host, { isPublic: false });
    const { invitation } = await view(host, roomId);
    expect(await enter(guest, roomId)).toMatchObject(refused('invitationNeeded'));
    expect((await admission(guest, roomId)).body).toEqual({ room: null, status: 'none' });
    expect(await askIn(guest, roomId)).toMatchObject(refused('invitationNeeded'));
    const wrong = `${invitation.slice(0, -2)}xx`;
    expect(await askIn(guest, roomId, wrong)).toMatchObject(refused('invitationEnded'));

    const url = '/api/invitations/preview';
    const visitor = await app.inject({ method: 'POST', url, payload: { invitation } });
    const seen = { name: plan.name, hostName: host.nickname, learners: 0, capacity: plan.capacity };
    expect(visitor.json()).toEqual(seen);
    const shown = await ask(guest, 'POST', 'invitations', { invitation });
    expect(shown.body).toMatchObject({ room: { roomId, hostName: host.nickname }, status: 'none' });
    expect((await askIn(guest, roomId, invitation)).body).toEqual({ status: 'admitted' });
    expect((await enter(guest, roomId)).body).toMatchObject({ roomId });
    await app.leave(guest);
    expect((await enter(guest, roomId)).body).toMatchObject({ roomId });
  });

  it('has one link: a renewed one replaces it for learners who have not used it', async () => {
    const [host, early, late] = await newLearners(3);
    const roomId = await open(host, { isPublic: false });
    const { invitation } = await view(host, roomId);
    await askIn(early, roomId, invitation);
    const renewed = (await ask(host, 'POST', `study-rooms/${roomId}/invitation`)).body as HostView;
    expect(renewed.invitation).not.toBe(invitation);
    expect(await askIn(late, roomId, invitation)).toMatchObject(refused('invitationEnded'));
    expect(await ask(late, 'POST', 'invitations', { invitation })).toMatchObject(
      refused('invitationEnded'),
    );
    expect((await enter(early, roomId)).status).toBe(200);
  });

  it('never writes its link into the log', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host, { isPublic: false });
    const { invitation } = await view(host, roomId);
    app.logLines.splice(0);
    await ask(guest, 'POST', 'invitations', { invitation });
    await askIn(guest, roomId, invitation);
    expect(app.logLines.length).toBeGreaterThan(0);
    expect(app.logLines.join('\n')).not.toContain(invitation);
  });
});

describe('approval', () => {
  it('seats nobody before the host says yes; both see the state', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host, { needsApproval: true });
    const notices = await (await clients.connectAs(second, host)).subscribe(destinations.notices);
    expect(await enter(guest, roomId)).toMatchObject(refused('approvalNeeded'));
    expect((await askIn(guest, roomId)).body).toEqual({ status: 'waiting' });
    expect((await askIn(guest, roomId)).body).toEqual({ status: 'waiting' });
    await vi.waitFor(() =>
      expect(notices.map(({ body }) => body)).toEqual([{ kind: 'changed', what: 'hosting' }]),
    );
    expect(await enter(guest, roomId)).toMatchObject(refused('approvalNeeded'));
    expect((await view(host, roomId)).waiting).toMatchObject([
      { userId: guest.userId, nickname: guest.nickname },
    ]);
    expect((await answer(host, roomId, guest, true)).body.waiting).toEqual([]);
    expect((await admission(guest, roomId)).body.status).toBe('admitted');
    expect((await enter(guest, roomId)).body).toMatchObject({ roomId });
  });

  it('tells the host little of guests who ask and cancel in turn, whose page may read without end of its rights', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host, { needsApproval: true });
    const notices = await (await clients.connectAs(second, host)).subscribe(destinations.notices);
    for (let round = 0; round < 8; round += 1) {
      await askIn(guest, roomId);
      await ask(guest, 'DELETE', `study-rooms/${roomId}/admission`);
    }
    await askIn(guest, roomId);
    await vi.waitFor(() => expect(notices.length).toBeGreaterThan(1), { timeout: 5_000 });
    expect(notices.length).toBeLessThan(8);
    expect((await view(host, roomId)).waiting).toHaveLength(1);
    expect(getHostView.limit.name).not.toBe(closeHostedRoom.limit.name);
  });

  it('can be declined, and asked for again after ten minutes', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host, { needsApproval: true });
    await askIn(guest, roomId);
    await answer(host, roomId, guest, false);
    expect((await admission(guest, roomId)).body.status).toBe('declined');
    expect(await askIn(guest, roomId)).toMatchObject(refused('admissionDeclined'));
    expect(await enter(guest, roomId)).toMatchObject(refused('approvalNeeded'));
    app.clock.advance(11 * MINUTE_MS);
    const later = await app.renew(guest);
    expect((await admission(later, roomId)).body.status).toBe('none');
    expect((await askIn(later, roomId)).body).toEqual({ status: 'waiting' });
  });

  it('is taken back by the asking learner; a later answer has no effect', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host, { needsApproval: true });
    await askIn(guest, roomId);
    await ask(guest, 'DELETE', `study-rooms/${roomId}/admission`);
    expect((await view(host, roomId)).waiting).toEqual([]);
    await answer(host, roomId, guest, true);
    expect((await admission(guest, roomId)).body.status).toBe('none');
  });

  it('ends when the page of the asking learner is closed, and ten minutes after the request', async () => {
    const [host, gone, patient] = await newLearners(3);
    const roomId = await open(host, { needsApproval: true });
    await askIn(gone, roomId);
    await askIn(patient, roomId);
    // A browser runs the timers of a page in the background once a minute.
    app.clock.advance(80_000);
    await admission(patient, roomId);
    app.clock.advance(80_000);
    expect((await view(host, roomId)).waiting.map(({ userId }) => userId)).toEqual([
      patient.userId,
    ]);
    await app.runJob('hosted rooms');
    expect((await admission(gone, roomId)).body.status).toBe('none');
    for (let round = 0; round < 5; round += 1) {
      app.clock.advance(80_000);
      await admission(await app.renew(patient), roomId);
    }
    app.clock.advance(3 * MINUTE_MS);
    await app.runJob('hosted rooms');
    expect((await admission(await app.renew(patient), roomId)).body.status).toBe('none');
  });

  it('of a learner with a block with somebody seated waits, and is not shown to the host', async () => {
    const [host, inside, blocker, blockedLater] = await newLearners(4);
    const roomId = await open(host, { needsApproval: true });
    await askIn(inside, roomId);
    await answer(host, roomId, inside, true);
    await enter(inside, roomId);
    await block(blocker, inside);
    expect((await askIn(blocker, roomId)).body).toEqual({ status: 'waiting' });
    await askIn(blockedLater, roomId);
    await block(inside, blockedLater);
    expect((await view(host, roomId)).waiting).toEqual([]);
    await app.leave(inside);
    expect((await view(host, roomId)).waiting).toHaveLength(2);
  });

  it('of a private room needs the link first', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host, { isPublic: false, needsApproval: true });
    const { invitation } = await view(host, roomId);
    expect(await askIn(guest, roomId)).toMatchObject(refused('invitationNeeded'));
    expect((await askIn(guest, roomId, invitation)).body).toEqual({ status: 'waiting' });
    expect((await enter(guest, roomId)).status).toBe(403);
    await answer(host, roomId, guest, true);
    expect((await enter(guest, roomId)).status).toBe(200);
  });
});

describe('a room that admits learners first', () => {
  it.each([
    ['an approval', { needsApproval: true }, 'approvalNeeded'],
    ['an invitation', { isPublic: false }, 'invitationNeeded'],
    ['both', { isPublic: false, needsApproval: true }, 'invitationNeeded'],
  ] as const)('by %s tells no stranger who sits there', async (_how, changes, needed) => {
    const [host, inside, stranger] = await newLearners(3);
    const roomId = await open(host, changes);
    await enter(host, roomId);
    await askIn(inside, roomId, (await view(host, roomId)).invitation);
    await answer(host, roomId, inside, true);
    expect((await enter(inside, roomId)).status).toBe(200);
    const asked = async () => [
      await enter(stranger, roomId),
      await ask(stranger, 'GET', `study-rooms/${roomId}`),
      await admission(stranger, roomId),
      await askIn(stranger, roomId),
    ];
    const before = await asked();
    expect(before[0]).toMatchObject(refused(needed));
    await ask(stranger, 'DELETE', `study-rooms/${roomId}/admission`);
    await block(stranger, inside);
    if (needed === 'invitationNeeded') await block(stranger, host);
    expect(await asked()).toEqual(before);
  });

  it('because it is the room of a group tells no stranger who sits there', async () => {
    const [leader, stranger] = await newLearners(2);
    await app.openGroup(leader);
    const [group] = (await ask(leader, 'GET', 'groups')).body.groups;
    await enter(leader, group.roomId);
    await block(stranger, leader);
    for (const refusal of [
      await enter(stranger, group.roomId),
      await ask(stranger, 'GET', `study-rooms/${group.roomId}`),
      await admission(stranger, group.roomId),
      await askIn(stranger, group.roomId),
    ]) {
      expect(refusal).toMatchObject(refused('roomOfGroup'));
    }
  });
});

describe('a block between a host and somebody else', () => {
  const bothWays = [
    ['by the host', (host: Learner, other: Learner) => block(host, other)],
    ['of the host', (host: Learner, other: Learner) => block(other, host)],
  ] as const;

  it.each(bothWays)('%s keeps the room for the absent host', async (_whose, makeBlock) => {
    const [host, other] = await newLearners(2);
    const roomId = await open(host);
    await makeBlock(host, other);
    expect(await enter(other, roomId)).toMatchObject(refused('blockedPersonInRoom'));
    expect((await enter(other)).body.roomId).not.toBe(roomId);
    expect((await enter(host, roomId)).body).toMatchObject({ roomId });
  });

  it.each(bothWays)('%s shows the name of neither, by no link', async (_whose, makeBlock) => {
    const [host, invited, waiting] = await newLearners(3);
    const roomId = await open(host, { isPublic: false, needsApproval: true });
    const { invitation } = await view(host, roomId);
    await askIn(waiting, roomId, invitation);
    await makeBlock(host, invited);
    await makeBlock(host, waiting);
    const answers = [
      await ask(invited, 'POST', 'invitations', { invitation }),
      await askIn(invited, roomId, invitation),
      await admission(waiting, roomId),
    ];
    for (const answered of answers) {
      expect(answered).toMatchObject(refused('blockedPersonInRoom'));
      expect(JSON.stringify(answered)).not.toContain(host.nickname);
    }
    expect((await view(host, roomId)).waiting).toEqual([]);
  });

  it('lets the host remove learners who block them, without naming them', async () => {
    const [host, blocked, blocker] = await newLearners(3);
    const roomId = await open(host);
    for (const each of [host, blocked, blocker]) await enter(each, roomId);
    await block(host, blocked);
    await block(blocker, host);
    expect(await view(host, roomId)).toEqual({
      invitation: expect.any(String),
      waiting: [],
      hidden: 1,
    });
    expect((await removeHidden(blocked, roomId)).body).toMatchObject({ error: 'notHost' });
    expect((await removeHidden(host, roomId)).body.hidden).toBe(0);
    expect(new Set(await seatedIn(roomId))).toEqual(new Set([host.userId, blocked.userId]));
    expect(await enter(blocker, roomId)).toMatchObject({ status: 403 });
  });
});

describe('a host', () => {
  it('removes somebody at once and until the room ends: by number, link and another tab', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host, { isPublic: false });
    const { invitation } = await view(host, roomId);
    await askIn(guest, roomId, invitation);
    await enter(guest, roomId);
    const client = await clients.connectAs(second, guest);
    const notices = await client.subscribe(destinations.notices);
    expect((await remove(host, roomId, guest)).status).toBe(200);
    expect(await seatedIn(roomId)).toEqual([]);
    await vi.waitFor(() =>
      expect(notices.map(({ body }) => body)).toContainEqual({
        kind: 'seatLost',
        roomId,
        reason: 'removed',
      }),
    );
    expect(await enter(guest, roomId)).toMatchObject(refused('removedByHost'));
    expect(await askIn(guest, roomId, invitation)).toMatchObject(refused('removedByHost'));
    expect(await admission(guest, roomId)).toMatchObject(refused('removedByHost'));
    expect(await ask(guest, 'POST', 'invitations', { invitation })).toMatchObject(
      refused('removedByHost'),
    );
  });

  it('removes a learner who is just entering', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host);
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([enter(guest, roomId), enter(guest), remove(host, roomId, guest)]);
      expect(await seatedIn(roomId)).not.toContain(guest.userId);
      await app.leave(guest);
      await sql`update study_room set kept_out = '{}'`.execute(app.database);
    }
  });

  it('removes a learner while they wait for the room: entering sees the removal', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host);
    let entering: ReturnType<typeof enter> | undefined;
    await app.database.transaction().execute(async (transaction) => {
      await sql`
        update study_room set kept_out = array[${guest.userId}::bigint] where id = ${roomId}`.execute(
        transaction,
      );
      entering = enter(guest, roomId);
      await untilLocked(app.database, 1, 'study_room');
    });
    expect(await entering).toMatchObject(refused('removedByHost'));
    expect(await seatedIn(roomId)).toEqual([]);
  });

  it('keeps the latest five hundred out whom they removed', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host);
    const keptOut = async () => {
      const { rows } = await sql<{ keptOut: number[] }>`
        select kept_out as "keptOut" from study_room where id = ${roomId}`.execute(app.database);
      return rows[0]?.keptOut.map(Number);
    };
    const earlier = Array.from({ length: 500 }, (_, index) => 1_000_000 + index);
    await sql`update study_room set kept_out = ${earlier} where id = ${roomId}`.execute(
      app.database,
    );
    expect((await remove(host, roomId, guest)).status).toBe(200);
    expect(await keptOut()).toEqual([...earlier.slice(1), guest.userId]);
    expect((await enter(guest, roomId)).status).not.toBe(200);
    await close(host, roomId);
  });

  it('never hands over to a learner whom they remove at the same time', async () => {
    const [host, guest] = await newLearners(2);
    for (const [first, then] of [
      [remove, handOver],
      [handOver, remove],
    ] as const) {
      const roomId = await open(host);
      await enter(guest, roomId);
      let answers: ReturnType<typeof remove>[] = [];
      await app.database.transaction().execute(async (transaction) => {
        await sql`select from study_room where id = ${roomId} for update`.execute(transaction);
        answers = [first(host, roomId, guest)];
        await untilLocked(app.database, 1, 'study_room');
        answers.push(then(host, roomId, guest));
        await untilLocked(app.database, 2);
      });
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      const { rows } = await sql`
        select from hosted_room join study_room on id = room_id
        where room_id = ${roomId} and host_id = any (kept_out)`.execute(app.database);
      expect(rows).toEqual([]);
      expect(await seatedIn(roomId)).toEqual(first === remove ? [] : [guest.userId]);
      await close(first === remove ? host : guest, roomId);
    }
  });

  it('cannot remove themselves, nor a missing account', async () => {
    const [host] = await newLearners(1);
    const roomId = await open(host);
    expect(await remove(host, roomId, host)).toMatchObject(refused('cannotRemoveYourself'));
    const nobody = { ...host, userId: 999_999_999 as UserId };
    expect(await remove(host, roomId, nobody)).toMatchObject(refused('userNotFound'));
  });

  it('closes the room: everybody leaves it at once, in every process, and nobody enters any more', async () => {
    const [host, guest, late] = await newLearners(3);
    const roomId = await open(host);
    await enter(host, roomId);
    await enter(guest, roomId);
    const client = await clients.connectAs(second, guest);
    const notices = await client.subscribe(destinations.notices);
    const startedAtMs = performance.now();
    expect((await close(host, roomId)).status).toBe(200);
    expect(await seatedIn(roomId)).toEqual([]);
    await vi.waitFor(() =>
      expect(notices.map(({ body }) => body)).toContainEqual({
        kind: 'seatLost',
        roomId,
        reason: 'closed',
      }),
    );
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
    expect(await enter(late, roomId)).toMatchObject(refused('roomClosed'));
    expect(await admission(late, roomId)).toMatchObject(refused('roomClosed'));
    expect((await enter(late)).body.roomId).not.toBe(roomId);
    expect(await close(late, roomId)).toMatchObject(refused('notHost'));
    expect(await close(host, roomId)).toMatchObject({ status: 200 });
    expect((await list(late)).rooms).toEqual([]);
  });

  it('leaves nobody in a closed room, not even a learner who is just entering', async () => {
    const learners = await newLearners(6);
    const [host, ...guests] = learners;
    const roomId = await open(host, { capacity: 20 });
    await Promise.all([...guests.map((guest) => enter(guest, roomId)), close(host, roomId)]);
    expect(await seatedIn(roomId)).toEqual([]);
  });

  it('hands over to a learner in the room; the room sees the new host', async () => {
    const [host, guest, stranger] = await newLearners(3);
    const roomId = await open(host);
    await enter(host, roomId);
    await enter(guest, roomId);
    const received = await (await clients.connectAs(second, guest)).subscribe(
      destinations.presence,
    );
    await vi.waitFor(() => expect(lastOf(received)).toMatchObject({ kind: 'snapshot' }));
    expect(lastOf(received)).toMatchObject({
      about: { name: plan.name, isPublic: plan.isPublic, hostId: host.userId },
    });
    expect(await handOver(host, roomId, stranger)).toMatchObject(refused('hostNotSeated'));
    expect((await handOver(host, roomId, guest)).body).toEqual({ hostId: guest.userId });
    await vi.waitFor(() =>
      expect(lastOf(received)).toMatchObject({ change: { type: 'host', userId: guest.userId } }),
    );
    expect(await remove(host, roomId, guest)).toMatchObject(refused('notHost'));
    expect((await remove(guest, roomId, host)).status).toBe(200);
  });

  it('cannot hand over to the host of another room', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host);
    await open(guest);
    await enter(guest, roomId);
    expect(await handOver(host, roomId, guest)).toMatchObject(refused('roomOpenAlready'));
  });

  it('has these rights alone', async () => {
    const [host, seated, asking, stranger] = await newLearners(4);
    const roomId = await open(host, { needsApproval: true });
    await askIn(seated, roomId);
    await answer(host, roomId, seated, true);
    await enter(seated, roomId);
    await askIn(asking, roomId);
    const before = await view(host, roomId);
    for (const learner of [seated, asking, stranger]) {
      const answers = await Promise.all([
        ask(learner, 'GET', `study-rooms/${roomId}/hosting`),
        ask(learner, 'POST', `study-rooms/${roomId}/invitation`),
        answer(learner, roomId, asking, true),
        remove(learner, roomId, seated),
        handOver(learner, roomId, learner),
        close(learner, roomId),
      ]);
      for (const each of answers) expect(each).toMatchObject(refused('notHost'));
    }
    expect(await view(host, roomId)).toEqual(before);
    expect(await seatedIn(roomId)).toEqual([seated.userId]);
  });
});

describe('a room with an absent host', () => {
  const sweepAfter = async (ms: number) => {
    await app.runJob('hosted rooms');
    app.clock.advance(ms);
    await app.runJob('hosted rooms');
  };

  it('keeps its host for ten minutes, then gets the longest seated learner', async () => {
    const [host, first, second] = await newLearners(3);
    const roomId = await open(host);
    await enter(host, roomId);
    await enter(first, roomId);
    app.clock.advance(1_000);
    await enter(second, roomId);
    await app.leave(host);
    await sweepAfter(9 * MINUTE_MS);
    expect((await list(await app.renew(second))).rooms[0]?.hostId).toBe(host.userId);
    app.clock.advance(2 * MINUTE_MS);
    await app.runJob('hosted rooms');
    expect((await list(await app.renew(second))).rooms[0]?.hostId).toBe(first.userId);
    expect(await close(await app.renew(host), roomId)).toMatchObject(refused('notHost'));
  });

  it('is offered to the learner who has sat longest, then to the next; who accepts is the host', async () => {
    const [host, first, last] = await newLearners(3);
    const roomId = await open(host);
    await enter(host, roomId);
    await enter(first, roomId);
    app.clock.advance(1_000);
    await enter(last, roomId);
    const client = await clients.connectAs(app, first);
    const notices = await client.subscribe(destinations.notices);
    const isOffered = async (learner: Learner) =>
      (await ask(await app.renew(learner), 'GET', `study-rooms/${roomId}/host-offer`)).body
        .isOffered;
    const answerOffer = async (learner: Learner, isAccepted: boolean) =>
      ask(await app.renew(learner), 'PUT', `study-rooms/${roomId}/host-offer`, { isAccepted });
    await app.runJob('hosted rooms');
    await app.leave(host);
    await sweepAfter(30_000);
    expect(await isOffered(first)).toBe(false);
    await sweepAfter(31_000);
    expect([await isOffered(first), await isOffered(last)]).toEqual([true, false]);
    await vi.waitFor(() =>
      expect(notices.map(({ body }) => body)).toContainEqual({
        kind: 'changed',
        what: 'hostOffer',
      }),
    );
    expect(await answerOffer(last, true)).toMatchObject(refused('hostOfferEnded'));
    expect((await answerOffer(first, false)).body).toEqual({ hostId: host.userId });
    expect([await isOffered(first), await isOffered(last)]).toEqual([false, true]);
    expect((await answerOffer(last, true)).body).toEqual({ hostId: last.userId });
    expect(await isOffered(last)).toBe(false);
    expect(await close(await app.renew(host), roomId)).toMatchObject(refused('notHost'));
    // Both may be asked again when this host is away.
    await app.leave(await app.renew(last));
    await sweepAfter(61_000);
    expect(await isOffered(first)).toBe(true);
  });

  it('is not taken from a host who is back, and passes to those who have not declined first', async () => {
    const [host, first, last] = await newLearners(3);
    const roomId = await open(host);
    await enter(first, roomId);
    app.clock.advance(1_000);
    await enter(last, roomId);
    await sweepAfter(61_000);
    const accept = async (learner: Learner, isAccepted: boolean) =>
      ask(await app.renew(learner), 'PUT', `study-rooms/${roomId}/host-offer`, { isAccepted });
    await enter(await app.renew(host), roomId);
    expect(await accept(first, true)).toMatchObject(refused('hostOfferEnded'));
    await app.leave(await app.renew(host));
    await app.runJob('hosted rooms');
    await sweepAfter(61_000);
    await accept(first, false);
    await sweepAfter(11 * MINUTE_MS);
    expect((await list(await app.renew(first))).rooms[0]?.hostId).toBe(last.userId);
  });

  it('is not listed while only the absent host could let somebody in', async () => {
    const [host, guest, other] = await newLearners(3);
    const roomId = await open(host, { needsApproval: true });
    const ids = async (learner: Learner) => (await list(learner)).rooms.map((room) => room.roomId);
    expect([await ids(other), await ids(host)]).toEqual([[], [roomId]]);
    await enter(host, roomId);
    expect(await ids(other)).toEqual([roomId]);
    await askIn(guest, roomId);
    await answer(host, roomId, guest, true);
    await enter(guest, roomId);
    await app.leave(host);
    expect(await ids(other)).toEqual([]);
    await sweepAfter(11 * MINUTE_MS);
    expect(await ids(await app.renew(other))).toEqual([roomId]);
  });

  it('keeps a host who returns in time', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host);
    await enter(guest, roomId);
    await sweepAfter(9 * MINUTE_MS);
    await enter(await app.renew(host), roomId);
    await sweepAfter(9 * MINUTE_MS);
    expect((await list(await app.renew(guest))).rooms[0]?.hostId).toBe(host.userId);
  });

  it('has another at once when the account is deleted', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host);
    await enter(guest, roomId);
    await sql`delete from users where id = ${host.userId}`.execute(app.database);
    await app.runJob('hosted rooms');
    expect((await list(guest)).own).toMatchObject({ roomId, hostId: guest.userId });
  });

  it('ends after ten minutes without anybody, not before', async () => {
    const [host, guest] = await newLearners(2);
    const roomId = await open(host);
    await enter(host, roomId);
    await app.leave(host);
    await sweepAfter(9 * MINUTE_MS);
    expect((await list(await app.renew(guest))).total).toBe(1);
    app.clock.advance(2 * MINUTE_MS);
    await app.runJob('hosted rooms');
    expect((await list(await app.renew(guest))).total).toBe(0);
    expect(await enter(await app.renew(guest), roomId)).toMatchObject(refused('roomClosed'));
  });
});

it('seats left by a killed process in a closed room, or after a removal, are freed by the next round', async () => {
  const [host, removed, other, left] = await newLearners(4);
  const roomId = await open(host);
  await enter(removed, roomId);
  await sql`
    update study_room set kept_out = array[${removed.userId}::bigint] where id = ${roomId}`.execute(
    app.database,
  );
  const closed = await open(other);
  await enter(left, closed);
  await sql`update study_room set entry = 'closed' where id = ${closed}`.execute(app.database);
  await sql`
    update hosted_room set closed_at = ${app.clock.now()} where room_id = ${closed}`.execute(
    app.database,
  );
  await app.runJob('hosted rooms');
  expect([await seatedIn(roomId), await seatedIn(closed)]).toEqual([[], []]);
});

const lastOf = (received: readonly Received[]) => received.at(-1)?.body as PresenceMessage;

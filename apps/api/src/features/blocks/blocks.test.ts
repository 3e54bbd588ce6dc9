import { BLOCKS_MAX } from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();

const change = (method: 'PUT' | 'DELETE', learner: Learner, blockedId: unknown) =>
  app.inject({ method, url: `/api/blocks/${blockedId}`, headers: learner.headers });
const list = async (learner: Learner) =>
  (await app.inject({ url: '/api/blocks', headers: learner.headers })).json<{
    blockedIds: number[];
  }>().blockedIds;

describe('blocking', () => {
  it('is stored, can be repeated and undone', async () => {
    const [learner, noisy, rude] = [
      await app.newLearner(),
      await app.newLearner(),
      await app.newLearner(),
    ];
    await change('PUT', learner, noisy.userId);
    await change('PUT', learner, rude.userId);
    const again = await change('PUT', learner, noisy.userId);
    expect(again.json()).toEqual({ blockedIds: [noisy.userId, rude.userId] });
    expect(await list(noisy)).toEqual([]);
    const undone = await change('DELETE', learner, noisy.userId);
    expect(undone.json()).toEqual({ blockedIds: [rude.userId] });
    await change('DELETE', learner, noisy.userId);
    expect(await list(learner)).toEqual([rude.userId]);
  });

  it('names blocked learners by their present names, in two queries', async () => {
    const [learner, noisy, gone] = [
      await app.newLearner(),
      await app.newLearner(),
      await app.newLearner(),
    ];
    await app.seat(learner);
    await app.seat(noisy);
    await app.leave(noisy);
    await change('PUT', learner, noisy.userId);
    await change('PUT', learner, gone.userId);
    await app.leave(learner);
    const name = `n${noisy.nickname}`.slice(0, 20);
    await app.inject({
      method: 'PATCH',
      url: '/api/user/profile/nickname',
      payload: { newNickname: name },
      headers: noisy.headers,
    });
    await sql`delete from users where id = ${gone.userId}`.execute(app.database);
    app.queries.splice(0);
    const people = async ({ headers }: Learner) =>
      (await app.inject({ url: '/api/blocks/people', headers })).json();
    expect(await people(learner)).toEqual({
      people: [{ userId: noisy.userId, nickname: name, profileImage: 'default.jpg' }],
    });
    expect(app.queries.filter((text) => /block|users/u.test(text))).toHaveLength(2);
    expect(await people(noisy)).toEqual({ people: [] });
  });

  it('shows nothing of a learner one never met, and names those one sat or read with', async () => {
    const [learner, stranger, neighbour, writer] = [
      await app.newLearner(),
      await app.newLearner(),
      await app.newLearner(),
      await app.newLearner(),
    ];
    await app.seat(learner);
    await app.seat(neighbour);
    await sql`
      insert into chat_message (room_id, epoch, number, sender_id, client_id, content, nickname,
                                profile_image, sent_at)
      select room.id, room.epoch, 1, ${writer.userId}, 'c', 'bye', 'w', '', now()
      from study_room as room join seat on seat.room_id = room.id
      where seat.user_id = ${learner.userId}`.execute(app.database);
    for (const { userId } of [stranger, neighbour, writer]) await change('PUT', learner, userId);
    const people = async () => {
      const answer = await app.inject({ url: '/api/blocks/people', headers: learner.headers });
      return answer.json().people.map(({ nickname }: { nickname: string }) => nickname);
    };
    expect(await people()).toEqual([null, neighbour.nickname, writer.nickname]);
    // Nor later, by blocking again.
    await change('PUT', learner, stranger.userId);
    expect((await people())[0]).toBeNull();
    await Promise.all([app.leave(learner), app.leave(neighbour)]);
  });

  it('costs little after thousands of visits to one room, in turn', async () => {
    const [learner, other] = [await app.newLearner(), await app.newLearner()];
    await sql`
      with room as (insert into study_room (capacity) values (20) returning id)
      insert into visit (user_id, room_id, began_at, ended_at, since, status, time_zone, day_start_minutes)
      select case n % 2 when 0 then ${learner.userId} else ${other.userId}::bigint end, room.id,
             began_at, began_at + interval '3 s', began_at, 'focus', 'UTC', 0
      from generate_series(1, 40000) as n, room,
           lateral (select now() - n * interval '6 s') as start (began_at)`.execute(app.database);
    expect((await change('PUT', learner, other.userId)).statusCode).toBe(200);
  });

  it.each([
    ['oneself', (learner: Learner) => learner.userId, 'cannotBlockYourself'],
    ['nobody', () => 99_999_999, 'userNotFound'],
    ['nonsense', () => 'abc', 'invalidRequest'],
  ])('refuses %s', async (_who, target, error) => {
    const learner = await app.newLearner();
    expect((await change('PUT', learner, target(learner))).json()).toMatchObject({ error });
  });

  it(`has room for ${BLOCKS_MAX}`, async () => {
    const [learner, one, more] = [
      await app.newLearner(),
      await app.newLearner(),
      await app.newLearner(),
    ];
    await change('PUT', learner, one.userId);
    await sql`
      with crowd as (
        insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
        select 'crowd' || n, 'crowd' || n, '', '', '', 'LOCAL' from generate_series(2, ${BLOCKS_MAX}) as n
        returning id
      )
      insert into block select ${learner.userId}, id, now() from crowd`.execute(app.database);
    expect((await change('PUT', learner, more.userId)).json()).toMatchObject({
      error: 'tooManyBlocks',
    });
    expect((await change('PUT', learner, one.userId)).statusCode).toBe(200);
  });
});

describe('matching', () => {
  it('seats nobody beside somebody they block or are blocked by', async () => {
    const [host, blocked, blocker, guest] = [
      await app.newLearner(),
      await app.newLearner(),
      await app.newLearner(),
      await app.newLearner(),
    ];
    await change('PUT', host, blocked.userId);
    await change('PUT', blocker, host.userId);
    const room = await app.seat(host);
    expect(await app.seat(guest)).toBe(room);
    expect(await app.seat(blocked)).not.toBe(room);
    expect(await app.seat(blocker)).not.toBe(room);
  });

  it('holds for direct links both ways, and says so without naming anybody', async () => {
    const [host, blocked, blocker] = [
      await app.newLearner(),
      await app.newLearner(),
      await app.newLearner(),
    ];
    await change('PUT', host, blocked.userId);
    await change('PUT', blocker, host.userId);
    const room = await app.seat(host);
    const look = ({ headers }: Learner) => app.inject({ url: `/api/study-rooms/${room}`, headers });
    const enter = ({ userId, headers }: Learner) =>
      app.inject({
        method: 'POST',
        url: '/api/study-rooms/enter',
        query: { userId: String(userId), roomId: String(room) },
        headers,
      });
    const refusalOf = async (learner: Learner) => {
      const [looked, entered] = [await look(learner), await enter(learner)];
      expect([looked.statusCode, looked.json()]).toEqual([entered.statusCode, entered.json()]);
      return entered.json();
    };
    for (const learner of [blocked, blocker]) {
      const refusal = await refusalOf(learner);
      expect(refusal).toMatchObject({ error: 'blockedPersonInRoom' });
      expect(JSON.stringify(refusal)).not.toContain(host.nickname);
    }
    await sql`update study_room set occupancy = capacity where id = ${room}`.execute(app.database);
    expect(await refusalOf(blocked)).toMatchObject({ error: 'roomFull' });
    await sql`update study_room set occupancy = 1 where id = ${room}`.execute(app.database);
    await change('DELETE', host, blocked.userId);
    expect((await look(blocked)).statusCode).toBe(200);
    expect((await enter(blocked)).json()).toMatchObject({ roomId: room });
  });
});

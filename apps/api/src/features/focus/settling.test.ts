import {
  errors,
  MINUTE_MS,
  putFocusSettings,
  type RoomId,
  SECOND_MS,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import { untilLocked } from '../../../test/lock-waits.ts';
import { createPostgresProxy } from '../../../test/postgres-proxy.ts';
import { createTestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { rebuildRecords } from './rebuild.ts';

const ROOM_SEATS = 20;

const { app } = await openTestSite();

/** Learners focusing in full rooms since the clock's present time. */
async function seatMany(count: number): Promise<UserId[]> {
  const now = app.clock.now();
  const { rows } = await sql<{ id: UserId }>`
    insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
    select gen_random_uuid() || '@example.org', left(gen_random_uuid()::text, 18), '', '',
           'default.jpg', 'LOCAL'
    from generate_series(1, ${count}::integer) returning id`.execute(app.database);
  const userIds = rows.map(({ id }) => id);
  const rooms = await sql<{ id: RoomId }>`
    insert into study_room (capacity, occupancy)
    select ${ROOM_SEATS}::integer, ${ROOM_SEATS}::integer
    from generate_series(1, ${count / ROOM_SEATS}::integer) returning id`.execute(app.database);
  await sql`
    insert into seat (user_id, room_id, entered_at, last_seen_at)
    select user_id, (${rooms.rows.map(({ id }) => id)}::bigint[])[1 + (place - 1) / ${ROOM_SEATS}::integer],
           ${now}, ${now}
    from unnest(${userIds}::bigint[]) with ordinality as learner (user_id, place)`.execute(
    app.database,
  );
  await sql`
    insert into visit (user_id, room_id, began_at, status, since, time_zone, day_start_minutes)
    select user_id, room_id, ${now}, 'focus', ${now}, 'Asia/Seoul', 0
    from seat where user_id = any(${userIds}::bigint[])`.execute(app.database);
  return userIds;
}

async function statusesOf(userIds: readonly UserId[]): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; learners: number }>`
    select status, count(*)::integer as learners from visit
    where user_id = any(${userIds}::bigint[]) and ended_at is null group by status`.execute(
    app.database,
  );
  return Object.fromEntries(rows.map(({ status, learners }) => [status, learners]));
}

/** The site runs while learners are silent. */
async function beSilent(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 10) {
    app.clock.advance(10 * SECOND_MS);
    await app.runJob('watch');
  }
}

async function outages(): Promise<number> {
  const { rows } = await sql`select from life_outage`.execute(app.database);
  return rows.length;
}

const isOfSettling = (text: string) => /for update|saved as|as "silentMs"/u.test(text);

describe('many learners falling silent at once', () => {
  it('are found away, and back, in three statements for each 250 of them', async () => {
    const userIds = await seatMany(500);
    await app.runJob('watch');
    await beSilent(200);
    app.queries.splice(0);
    await app.runJob('silent learners');
    expect(await statusesOf(userIds)).toEqual({ away: 500 });
    // One more: the query for silent learners.
    expect(app.queries.filter(isOfSettling).length).toBeLessThanOrEqual(7);

    const at = app.clock.now();
    app.queries.splice(0);
    await sql`
      update seat set last_seen_at = ${at} where user_id = any(${userIds}::bigint[])`.execute(
      app.database,
    );
    await app.runJob('silent learners');
    expect(await statusesOf(userIds)).toEqual({ focus: 500 });
    expect(app.queries.filter(isOfSettling).length).toBeLessThanOrEqual(7);
    const { rows } = await sql`
      select status, is_silence, count(*)::integer as learners,
             sum(extract(epoch from ended_at - started_at))::integer as seconds
      from focus_interval where user_id = any(${userIds}::bigint[])
      group by status, is_silence`.execute(app.database);
    expect(rows).toEqual([{ status: 'away', is_silence: true, learners: 500, seconds: 100_000 }]);
    expect(await rebuildRecords(app.database)).toMatchObject({ corrected: 0 });
  });

  it('give every change a number of its own, and are settled although one cannot be', async () => {
    const userIds = await seatMany(40);
    const broken = userIds[7];
    // A total that no check allows makes this one's change fail.
    await sql`
      alter table study_record add constraint broken check (user_id <> ${sql.lit(broken)} or away_ms = 0)
    `.execute(app.database);
    const numbersBefore = await rosterNumbers(userIds);
    await beSilent(200);
    await app.runJob('silent learners');
    expect(await statusesOf(userIds)).toEqual({ away: 40 });
    await sql`
      update seat set last_seen_at = ${app.clock.now()}
      where user_id = any(${userIds}::bigint[])`.execute(app.database);
    await app.runJob('silent learners');
    expect(await statusesOf(userIds)).toEqual({ focus: 39, away: 1 });
    // Lost and away for each, back for all but one.
    expect((await rosterNumbers(userIds)) - numbersBefore).toBe(40 + 40 + 39);
    expect(app.logLines.filter((line) => line.includes('could not settle a visit'))).toHaveLength(
      1,
    );
    await sql`alter table study_record drop constraint broken`.execute(app.database);
    await app.runJob('silent learners');
    expect(await statusesOf(userIds)).toEqual({ focus: 40 });
  });

  it('are left for the next time when the database goes away', async () => {
    const proxy = await createPostgresProxy(inject('postgres'));
    const other = await createTestApp({
      besides: app,
      databaseOptions: { connection: proxy.connection },
    });
    const userIds = await seatMany(ROOM_SEATS);
    await beSilent(200);
    other.clock.advance(app.clock.now().getTime() - other.clock.now().getTime());
    const held = await app.database.startTransaction().execute();
    await sql`select from seat where user_id = any(${userIds}::bigint[]) for update`.execute(held);
    const settling = other.runJob('silent learners');
    await untilLocked(app.database, 1);
    proxy.cut();
    await expect(settling).rejects.toThrow();
    expect(other.logLines.filter((line) => line.includes('could not settle'))).toEqual([]);
    await held.rollback().execute();
    expect(await statusesOf(userIds)).toEqual({ focus: ROOM_SEATS });
    proxy.restore();
    await other.runJob('silent learners');
    expect(await statusesOf(userIds)).toEqual({ away: ROOM_SEATS });
    await other.close();
    await proxy.close();
  });

  it('do not keep the site from listening', async () => {
    const [learner] = await seatMany(ROOM_SEATS);
    await beSilent(200);
    const known = await outages();
    const held = await app.database.startTransaction().execute();
    await sql`select from seat where user_id = ${learner} for update`.execute(held);
    const settling = app.runJob('silent learners');
    // Settling waits for a seat; a minute passes.
    await beSilent(60);
    expect(await outages()).toBe(known);
    await held.rollback().execute();
    await settling;
    expect(await outages()).toBe(known);
  });
});

async function rosterNumbers(userIds: readonly UserId[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select sum(roster_number)::integer as total from study_room
    where id in (select room_id from seat where user_id = any(${userIds}::bigint[]))`.execute(
    app.database,
  );
  return rows[0]?.total ?? 0;
}

describe('a rebuild', () => {
  it('loses nothing of a learner who enters while it counts', async () => {
    const learner = await app.newLearner();
    await app.seat(learner);
    app.clock.advance(MINUTE_MS);
    await app.leave(learner);
    // It has something to correct, and has to wait for it.
    await sql`
      update study_day set focus_ms = 1 where user_id = ${learner.userId}`.execute(app.database);
    const held = await app.database.startTransaction().execute();
    await sql`
      select from study_day where user_id = ${learner.userId} for update`.execute(held);
    const rebuilding = rebuildRecords(app.database);
    await untilLocked(app.database, 1);
    const visiting = (async () => {
      await app.seat(learner);
      app.clock.advance(MINUTE_MS);
      await app.leave(learner);
    })();
    await untilLocked(app.database, 2);
    await held.rollback().execute();
    await Promise.all([rebuilding, visiting]);
    const { rows } = await sql`
      select (select sum(extract(epoch from ended_at - started_at) * 1000)::integer
              from focus_interval where user_id = ${learner.userId}) as intervals,
             (select sum(focus_ms)::integer from study_day where user_id = ${learner.userId}) as days,
             focus_ms::integer as total
      from study_record where user_id = ${learner.userId}`.execute(app.database);
    expect(rows).toEqual([{ intervals: 120_000, days: 120_000, total: 120_000 }]);
  });
});

describe('a process with a wrong clock', () => {
  it('stores no moment until it is right again', async () => {
    let learner = await app.newLearner();
    const other = await app.newLearner();
    const room = await app.seat(learner);
    const aheadMs = 15 * SECOND_MS;
    const offMs = app.clock.now().getTime() - Date.now();
    app.clock.advance(aheadMs - offMs);
    await app.runJob('clock');
    learner = await app.renew(learner);
    const { userId, headers } = learner;
    const query = { userId: String(userId) };
    const settings = { timeZone: 'Asia/Seoul', dayStartMinutes: 0, startsOnEntering: true };
    const refused = [
      await app.move(learner, 'pause', room),
      await app.inject({ method: 'POST', url: '/api/study-rooms/leave', query, headers }),
      await app.inject({
        method: 'POST',
        url: '/api/study-rooms/enter',
        query: { userId: String(other.userId) },
        headers: (await app.renew(other)).headers,
      }),
      await app.inject({ method: 'PUT', url: putFocusSettings.path, payload: settings, headers }),
    ];
    for (const answer of refused) {
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({
        message: errors.clockWrong.ko,
        error: 'clockWrong',
        errorCode: 'F006',
      });
    }
    for (const job of ['watch', 'silent learners']) {
      await expect(app.runJob(job)).rejects.toThrow('clockWrong');
    }
    const { rows: seats } = await sql`
      select room_id from seat where user_id = any(${[userId, other.userId]}::bigint[])`.execute(
      app.database,
    );
    expect(seats).toEqual([{ room_id: room }]);
    expect((await app.inject({ url: '/readyz' })).json()).toMatchObject({
      status: 'degraded',
      checks: { clock: { state: 'degraded' } },
    });
    expect(app.logLines.some((line) => line.includes('the clock of this process is wrong'))).toBe(
      true,
    );
    // Reading still works.
    expect((await app.inject({ url: '/api/user/stat/today-study-time', headers })).statusCode).toBe(
      200,
    );

    app.clock.advance(-aheadMs + 5 * SECOND_MS);
    await app.runJob('clock');
    expect((await app.inject({ url: '/readyz' })).json()).toMatchObject({
      checks: { clock: { state: 'up' } },
    });
    learner = await app.renew(learner);
    const left = await app.inject({
      method: 'POST',
      url: '/api/study-rooms/leave',
      query,
      headers: learner.headers,
    });
    expect(left.json()).toEqual({ left: true });
  });
});

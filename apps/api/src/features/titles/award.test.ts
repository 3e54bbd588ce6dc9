import {
  destinations,
  getOwnTitles,
  HOUR_MS,
  MINUTE_MS,
  type OwnTitle,
  putFocusSettings,
  titleCatalogue,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withLastingLogIn } from '../../../test/lasting-log-in.ts';
import { untilLocked } from '../../../test/lock-waits.ts';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { goTo, isSaturday, isWorkday, yesterdayOf } from '../../../test/wall-clock.ts';

let learner: Learner;
const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room'] });
beforeEach(async () => {
  learner = await withLastingLogIn(await app.newLearner());
});

const JOB = 'titles of those who focus';

const list = async () =>
  (
    await app.inject({
      url: getOwnTitles.path.replace(':userId', String(learner.userId)),
      headers: learner.headers,
    })
  ).json<OwnTitle[]>();
const wonKeys = async () =>
  (await list()).filter(({ acquiredAt }) => acquiredAt !== null).map(({ key }) => key);
const titleOf = async (key: string) => (await list()).find((title) => title.key === key);
const live = (timeZone: string) =>
  app.inject({
    method: 'PUT',
    url: putFocusSettings.path,
    payload: { timeZone, dayStartMinutes: 240, startsOnEntering: true },
    headers: learner.headers,
  });

/** A visit with this focus, from now on. */
async function focusFor(ms: number): Promise<void> {
  await app.seat(learner);
  app.clock.advance(ms);
  await app.recordSeen(learner);
  await app.leave(learner);
}

/** As if the learner had studied before: sets the sums of the focus engine. */
async function hasStudied(record: Record<string, unknown>): Promise<void> {
  await sql`insert into study_record (user_id) values (${learner.userId}) on conflict do nothing`.execute(
    app.database,
  );
  for (const [column, value] of Object.entries(record)) {
    await sql`
      update study_record set ${sql.ref(column)} = ${value} where user_id = ${learner.userId}
    `.execute(app.database);
  }
}

describe('a title is won', () => {
  it('for the first day with its first minute, not before', async () => {
    goTo(app.clock, 12, 0, isWorkday);
    await focusFor(MINUTE_MS - 1);
    expect(await wonKeys()).toEqual([]);
    await focusFor(1);
    expect(await wonKeys()).toEqual(['first-day']);
  });

  it.each(titleCatalogue.filter(({ figure }) => figure === 'focusSeconds'))(
    'for hours in all, exactly at them: $key',
    async ({ key, threshold }) => {
      goTo(app.clock, 12, 0, isWorkday);
      await hasStudied({ focus_ms: threshold * 1_000 - 2_000 });
      await focusFor(1_999);
      expect(await wonKeys()).not.toContain(key);
      expect((await titleOf(key))?.progress).toEqual({
        unit: 'seconds',
        current: threshold - 1,
        target: threshold,
      });
      await focusFor(1);
      expect(await wonKeys()).toContain(key);
    },
  );

  it.each(titleCatalogue.filter(({ figure }) => figure === 'streakDays'))(
    'for days in a row: $key',
    async ({ key, threshold }) => {
      goTo(app.clock, 12, 0, isWorkday);
      await hasStudied({
        attendance_days: threshold - 1,
        streak_days: threshold - 1,
        longest_streak_days: threshold - 1,
        last_attended_day: yesterdayOf(app.clock),
      });
      const before = await titleOf(key);
      expect([before?.acquiredAt, before?.progress.current]).toEqual([null, threshold - 1]);
      // The running interval counts: the streak grows with the first minute of today.
      await app.seat(learner);
      app.clock.advance(MINUTE_MS);
      await app.recordSeen(learner);
      expect(await wonKeys()).toContain(key);
      await app.leave(learner);
    },
  );

  it('not for a row of days that broke', async () => {
    goTo(app.clock, 12, 0, isWorkday);
    await hasStudied({ attendance_days: 2, streak_days: 2, longest_streak_days: 2 });
    await hasStudied({ last_attended_day: yesterdayOf(app.clock) });
    goTo(app.clock, 12, 0);
    goTo(app.clock, 12, 0);
    expect((await titleOf('streak-3'))?.progress.current).toBe(0);
    await app.seat(learner);
    app.clock.advance(MINUTE_MS);
    await app.recordSeen(learner);
    expect((await titleOf('streak-3'))?.progress).toEqual({ unit: 'days', current: 1, target: 3 });
    expect(await wonKeys()).toEqual(['first-day']);
  });

  it.each(
    titleCatalogue.filter(({ figure, type }) => figure === 'attendanceDays' && type === 'days'),
  )('for days of attendance: $key', async ({ key, threshold }) => {
    goTo(app.clock, 12, 0, isWorkday);
    await hasStudied({ attendance_days: threshold - 1 });
    expect(await wonKeys()).not.toContain(key);
    await app.seat(learner);
    app.clock.advance(MINUTE_MS);
    await app.recordSeen(learner);
    expect(await wonKeys()).toContain(key);
    await app.leave(learner);
  });

  it.each(titleCatalogue.filter(({ figure }) => figure === 'bestDaySeconds'))(
    'for hours in one day: $key',
    async ({ key, threshold }) => {
      goTo(app.clock, 8, 0, isWorkday);
      await focusFor(threshold * 1_000 - 1_000);
      expect(await wonKeys()).not.toContain(key);
      await focusFor(1_000);
      expect(await wonKeys()).toContain(key);
    },
  );

  it('not for as many hours in two days', async () => {
    goTo(app.clock, 22, 0, isWorkday);
    await focusFor(4 * HOUR_MS - 2);
    expect(await wonKeys()).not.toContain('day-3');
  });

  it('for half an hour of a dawn, in pieces too, and seven for seven of them', async () => {
    goTo(app.clock, 3, 0, isWorkday);
    await focusFor(HOUR_MS + 15 * MINUTE_MS);
    goTo(app.clock, 6, 45, isWorkday);
    await focusFor(15 * MINUTE_MS - 1);
    expect(await wonKeys()).not.toContain('dawn');
    await focusFor(1);
    expect(await wonKeys()).toContain('dawn');
    for (let dawns = 1; dawns < 7; dawns += 1) {
      expect((await titleOf('dawn-7'))?.progress.current).toBe(dawns);
      goTo(app.clock, 4, 0, isWorkday);
      await focusFor(20 * MINUTE_MS);
      app.clock.advance(HOUR_MS);
      await focusFor(10 * MINUTE_MS);
    }
    expect(await wonKeys()).toContain('dawn-7');
  });

  it('for half an hour of a night, by the clock of the learner’s own zone', async () => {
    goTo(app.clock, 3, 30, isWorkday);
    await live('America/New_York');
    await focusFor(40 * MINUTE_MS);
    expect(await wonKeys()).not.toContain('night');
    goTo(app.clock, 23, 30, isWorkday);
    await live('Asia/Seoul');
    await focusFor(HOUR_MS - 1);
    expect(await wonKeys()).not.toContain('night');
    await focusFor(1);
    expect(await wonKeys()).toContain('night');
  });

  it('for an hour of a weekend', async () => {
    goTo(app.clock, 12, 0, isWorkday);
    await focusFor(2 * HOUR_MS);
    expect(await wonKeys()).not.toContain('weekend');
    goTo(app.clock, 12, 0, isSaturday);
    await focusFor(HOUR_MS - 1);
    expect(await wonKeys()).not.toContain('weekend');
    await focusFor(1);
    expect(await wonKeys()).toContain('weekend');
  });

  it('never for a break, nor for being away', async () => {
    goTo(app.clock, 12, 0, isWorkday);
    const room = await app.seat(learner);
    await app.move(learner, 'pause', room);
    app.clock.advance(MINUTE_MS);
    await app.move(learner, 'away', room);
    app.clock.advance(MINUTE_MS);
    await app.leave(learner);
    expect(await wonKeys()).toEqual([]);
  });
});

describe('while focus runs', () => {
  it('a title is won near its moment, and every tab gets one notice', async () => {
    goTo(app.clock, 12, 0, isWorkday);
    const room = await app.seat(learner);
    const tabs = await Promise.all([1, 2].map(() => clients.connectAs(app, learner)));
    const received = await Promise.all(tabs.map((tab) => tab.subscribe(destinations.notices)));
    const won = () =>
      received.map((notices) =>
        notices.flatMap(({ body }) => (body.kind === 'titleWon' ? [body.title.key] : [])),
      );
    app.clock.advance(HOUR_MS);
    await app.recordSeen(learner);
    await app.runJob(JOB);
    await vi.waitFor(() =>
      expect(won()).toEqual([
        ['first-day', 'hours-1'],
        ['first-day', 'hours-1'],
      ]),
    );
    await app.runJob(JOB);
    await app.move(learner, 'pause', room);
    await vi.waitFor(() => expect(received[0]?.at(-1)?.body.kind).toBe('today'));
    expect(await wonKeys()).toEqual(['first-day', 'hours-1']);
    expect(won()[0]).toHaveLength(2);
  });

  it('evaluates a learner again only when a title can have come closer', async () => {
    goTo(app.clock, 12, 0, isWorkday);
    const room = await app.seat(learner);
    await clients.connectSeated(app, learner);
    const evaluationsIn = async (rounds: number) => {
      app.queries.splice(0);
      for (let round = 0; round < rounds; round += 1) {
        app.clock.advance(20_000);
        await app.recordSeen(learner);
        await app.runJob(JOB);
      }
      return app.queries.filter((text) => text.includes('insert into title_progress')).length;
    };
    // The first round, the first minute of the day, and half an hour after it; then the whole hour.
    expect(await evaluationsIn(90)).toBe(2);
    expect(await evaluationsIn(89)).toBe(1);
    expect(await wonKeys()).toEqual(['first-day']);
    expect(await evaluationsIn(1)).toBe(1);
    expect(await wonKeys()).toEqual(['first-day', 'hours-1']);
    expect(await evaluationsIn(80)).toBe(0);
    // Another visit in another zone: a first round, and the first minute of its day.
    await live('America/New_York');
    await app.move(learner, 'pause', room);
    await app.move(learner, 'resume', room);
    // After the evaluation of the counted time.
    await list();
    expect(await evaluationsIn(3)).toBe(2);
  });

  it('is won although another account is deleted at that moment', async () => {
    goTo(app.clock, 12, 0, isWorkday);
    const leaving = await withLastingLogIn(await app.newLearner());
    for (const one of [learner, leaving]) {
      await app.seat(one);
      await clients.connectSeated(app, one);
    }
    app.clock.advance(HOUR_MS);
    await Promise.all([learner, leaving].map(app.recordSeen));
    const { awarding } = await app.database.transaction().execute(async (transaction) => {
      await sql`delete from users where id = ${leaving.userId}`.execute(transaction);
      const awarding = app.runJob(JOB).then(
        () => 'done',
        (error: unknown) => error,
      );
      await untilLocked(app.database, 1, 'title_progress');
      return { awarding };
    });
    expect(await awarding).toBe('done');
    const { rows } = await sql`
      select from user_title where user_id = ${learner.userId}`.execute(app.database);
    expect(rows).toHaveLength(2);
  });

  it('nothing is won after the last proof of life: that time may turn out to have been away', async () => {
    goTo(app.clock, 12, 0, isWorkday);
    await app.seat(learner);
    app.clock.advance(30 * MINUTE_MS);
    await app.recordSeen(learner);
    app.clock.advance(HOUR_MS);
    expect(await wonKeys()).toEqual(['first-day']);
    expect((await titleOf('hours-1'))?.progress.current).toBe(30 * 60);
  });
});

describe('exactly once', () => {
  it('however many processes evaluate at the same moment', async () => {
    const other = await createTestApp({ besides: app });
    await other.listen();
    try {
      goTo(app.clock, 12, 0, isWorkday);
      other.clock.advance(app.clock.now().getTime() - other.clock.now().getTime());
      await app.seat(learner);
      const received = await Promise.all(
        [app, other].map(async (process) =>
          (await clients.connectAs(process, learner)).subscribe(destinations.notices),
        ),
      );
      app.clock.advance(HOUR_MS);
      other.clock.advance(HOUR_MS);
      await app.recordSeen(learner);
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? app : other).runJob(JOB)),
      );
      const won = () =>
        received.flat().flatMap(({ body }) => (body.kind === 'titleWon' ? [body.title.key] : []));
      await vi.waitFor(() => expect(won().sort()).toEqual(['first-day', 'hours-1']), {
        timeout: 10_000,
      });
      const { rows } = await sql<{ title_id: number; figure: number }>`
        select title_id, figure from user_title where user_id = ${learner.userId} order by title_id
      `.execute(app.database);
      expect(rows).toEqual([
        { title_id: 1, figure: 1 },
        { title_id: 2, figure: 3_600 },
      ]);
      // Counted again when the interval is closed, and still the same two.
      await app.leave(learner);
      expect(await wonKeys()).toEqual(['first-day', 'hours-1']);
      expect(won()).toHaveLength(2);
    } finally {
      await clients.closeAll();
      await other.close();
    }
  });

  it('also when nobody evaluated as the time was counted', async () => {
    goTo(app.clock, 4, 0, isWorkday);
    await app.seat(learner);
    app.clock.advance(30 * MINUTE_MS);
    // Like a process that dies right after it has given up the seat.
    await sql`
      with gone as (delete from seat where user_id = ${learner.userId})
      update visit set ended_at = ${app.clock.now()}, focus_ms = 1800000
      where user_id = ${learner.userId}`.execute(app.database);
    await sql`
      insert into focus_interval (user_id, visit_id, status, started_at, ended_at, is_silence,
                                  time_zone, day_start_minutes)
      select user_id, id, 'focus', began_at, ended_at, false, time_zone, day_start_minutes
      from visit where user_id = ${learner.userId}`.execute(app.database);
    expect(await wonKeys()).toContain('dawn');
  });
});

import {
  type FocusSettings,
  getWeeks,
  HOUR_MS,
  MINUTE_MS,
  putFocusSettings,
  type Weeks,
} from '@mogakgong/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();
let learner: Learner;
beforeEach(async () => {
  learner = await app.newLearner();
});

/** Sets the clock to a moment that is not earlier than now, given with its offset from UTC. */
async function setTime(text: string): Promise<void> {
  app.clock.advance(Date.parse(text) - app.clock.now().getTime());
  learner = await app.renew(learner);
}

async function study(from: string, minutes: number): Promise<void> {
  await setTime(from);
  await app.seat(learner);
  app.clock.advance(minutes * MINUTE_MS);
  await app.recordSeen(learner);
  learner = await app.renew(learner);
  await app.leave(learner);
}

async function countDays(settings: Omit<FocusSettings, 'startsOnEntering'>): Promise<void> {
  const { method, path: url } = putFocusSettings;
  const payload = { ...settings, startsOnEntering: true };
  const answer = await app.inject({ method, url, payload, headers: learner.headers });
  expect(answer.statusCode).toBe(200);
}

async function weeks(): Promise<Weeks> {
  const answer = await app.inject({ url: getWeeks.path, headers: learner.headers });
  expect(answer.statusCode).toBe(200);
  return answer.json<Weeks>();
}

describe('this week beside last week', () => {
  it('has nothing to compare with before the second week', async () => {
    // A Wednesday.
    await study('2030-01-02T10:00:00+09:00', 30);
    expect(await weeks()).toEqual({
      today: '2030-01-02',
      thisWeek: [{ day: '2030-01-02', focusMs: 30 * MINUTE_MS }],
      lastWeek: [],
      lastWeekUntilMs: Date.parse('2029-12-26T10:30:00+09:00'),
      hasEarlier: false,
    });
    await setTime('2030-01-06T23:59:00+09:00');
    expect((await weeks()).hasEarlier).toBe(false);
    await setTime('2030-01-07T00:00:00+09:00');
    expect(await weeks()).toMatchObject({ thisWeek: [], lastWeek: [], hasEarlier: true });
  });

  it('is cut at the weekday and the time that the clock shows now', async () => {
    await study('2030-02-03T22:00:00+09:00', 60);
    await study('2030-02-04T23:50:00+09:00', 20);
    await study('2030-02-05T10:00:00+09:00', 120);
    await study('2030-02-06T08:00:00+09:00', 60);
    await study('2030-02-12T09:30:00+09:00', 90);
    expect(await weeks()).toEqual({
      today: '2030-02-12',
      thisWeek: [{ day: '2030-02-12', focusMs: 90 * MINUTE_MS }],
      // Without the Sunday before, the time after eleven o'clock on Tuesday, and Wednesday.
      lastWeek: [
        { day: '2030-02-04', focusMs: 10 * MINUTE_MS },
        { day: '2030-02-05', focusMs: 10 * MINUTE_MS + HOUR_MS },
      ],
      lastWeekUntilMs: Date.parse('2030-02-05T11:00:00+09:00'),
      hasEarlier: true,
    });
    await setTime('2030-02-12T13:00:00+09:00');
    expect((await weeks()).lastWeek.at(-1)?.focusMs).toBe(10 * MINUTE_MS + 2 * HOUR_MS);
  });

  it('counts what runs now', async () => {
    await study('2030-03-04T10:00:00+09:00', 60);
    await setTime('2030-03-11T10:15:00+09:00');
    await app.seat(learner);
    app.clock.advance(5 * MINUTE_MS);
    await app.recordSeen(learner);
    expect(await weeks()).toMatchObject({
      thisWeek: [{ day: '2030-03-11', focusMs: 5 * MINUTE_MS }],
      lastWeek: [{ day: '2030-03-04', focusMs: 20 * MINUTE_MS }],
    });
    await app.leave(learner);
  });

  it('begins where the learner’s Monday begins', async () => {
    await countDays({ timeZone: 'Asia/Seoul', dayStartMinutes: 240 });
    // Three in the morning of a Monday is still Sunday.
    await study('2030-04-08T02:00:00+09:00', 60);
    await study('2030-04-08T04:00:00+09:00', 30);
    expect(await weeks()).toMatchObject({
      today: '2030-04-08',
      thisWeek: [{ day: '2030-04-08', focusMs: 30 * MINUTE_MS }],
      lastWeek: [],
      hasEarlier: true,
    });
    await setTime('2030-04-15T03:59:00+09:00');
    expect(await weeks()).toMatchObject({
      today: '2030-04-14',
      thisWeek: [{ day: '2030-04-08', focusMs: 30 * MINUTE_MS }],
      lastWeek: [{ day: '2030-04-07', focusMs: HOUR_MS }],
    });
    await setTime('2030-04-15T04:20:00+09:00');
    expect(await weeks()).toMatchObject({
      today: '2030-04-15',
      thisWeek: [],
      lastWeek: [{ day: '2030-04-08', focusMs: 20 * MINUTE_MS }],
    });
  });

  it('goes by the clock on the wall over a change to summer time', async () => {
    await countDays({ timeZone: 'America/New_York', dayStartMinutes: 0 });
    // Summer time begins there on 2031-03-09.
    await study('2031-03-04T14:00:00-05:00', 120);
    await setTime('2031-03-11T15:00:00-04:00');
    expect(await weeks()).toMatchObject({
      today: '2031-03-11',
      lastWeek: [{ day: '2031-03-04', focusMs: HOUR_MS }],
      lastWeekUntilMs: Date.parse('2031-03-04T15:00:00-05:00'),
    });
    // The hour that the clock skipped on the ninth counts as the one after it.
    await setTime('2031-03-16T02:30:00-04:00');
    expect((await weeks()).lastWeekUntilMs).toBe(Date.parse('2031-03-09T03:30:00-04:00'));
  });

  it('leaves away and breaks out, and costs at most two queries', async () => {
    await study('2032-01-05T10:00:00+09:00', 10);
    await setTime('2032-01-05T11:00:00+09:00');
    const room = await app.seat(learner);
    await app.move(learner, 'pause', room);
    app.clock.advance(10 * MINUTE_MS);
    await app.recordSeen(learner);
    await app.leave(learner);
    await setTime('2032-01-12T20:00:00+09:00');
    expect((await weeks()).lastWeek).toEqual([{ day: '2032-01-05', focusMs: 10 * MINUTE_MS }]);
    // A job of every second may fall in between once.
    await vi.waitFor(async () => {
      app.queries.splice(0);
      await weeks();
      expect(app.queries.length).toBeLessThanOrEqual(2);
    });
  });
});

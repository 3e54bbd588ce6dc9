import {
  addPushDevice,
  choosePush,
  deletePomodoro,
  followSchedule,
  getPushSettings,
  MINUTE_MS,
  type PushSettings,
  pomodoroPhase,
  putPomodoro,
  type RoomId,
  type RoomPomodoro,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { startPushService } from '../../../test/push-service-double.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { findPhaseEnds } from '../focus/index.ts';

const service = await startPushService();
afterAll(() => service.close());
const env = { PUSH_SERVICES: service.origin };
const { app } = await openTestSite({ env, emptied: ['seat', 'study_room', 'push_choice'] });
const { app: second } = await openTestSite({ env, besides: app });

/** Jobs look back half a minute: those of the test before are over. */
beforeEach(() => pass(MINUTE_MS));

/** Time passes; then both processes look for phases that have ended. */
async function pass(ms: number): Promise<void> {
  for (const at of [app, second]) at.clock.advance(ms);
  await Promise.all([app, second].map((at) => at.runJob('phase alarms')));
}

const put = ({ headers }: Learner, url: string, payload: object) =>
  app.inject({ method: 'PUT', url, headers, payload });

/** A learner in the room of a schedule of one minute each, with a device that is told of every end. */
async function seated() {
  const learner = await app.newLearner();
  const { headers } = learner;
  await put(learner, choosePush.path, { kinds: ['focusEnd', 'breakEnd'], quiet: null });
  const settings = await app.inject({ url: getPushSettings.path, headers });
  const { publicKey } = settings.json<PushSettings>();
  const browser = service.subscribe(publicKey);
  const { endpoint, p256dh, auth } = browser;
  await put(learner, addPushDevice.path, { endpoint, p256dh, auth, publicKey });
  const roomId = await app.seat(learner);
  const url = putPomodoro.path.replace(':roomId', String(roomId));
  const started = await put(learner, url, { focusMinutes: 1, breakMinutes: 1 });
  return { learner, browser, roomId, url, schedule: started.json<RoomPomodoro>().schedule };
}

const follow = (learner: Learner, roomId: RoomId, startedAtMs: number | null = null) =>
  put(learner, followSchedule.path, { userId: learner.userId, roomId, startedAtMs });

it('notifies of the end of each phase, once over two processes, learners who follow', async () => {
  const { learner, browser, roomId, schedule } = await seated();
  await follow(learner, roomId, schedule?.startedAtMs);
  await pass(MINUTE_MS - 1);
  expect(browser.received).toEqual([]);
  await pass(1);
  await vi.waitFor(() => expect(browser.received).toEqual([{ kind: 'focusEnd' }]));
  await pass(MINUTE_MS);
  await vi.waitFor(() =>
    expect(browser.received).toEqual([{ kind: 'focusEnd' }, { kind: 'breakEnd' }]),
  );
  await pass(1_000);
  expect(browser.received).toHaveLength(2);
});

it('notifies of a closed page’s phases until its seat is given up, after ten minutes', async () => {
  const { learner, browser, roomId, schedule } = await seated();
  await follow(learner, roomId, schedule?.startedAtMs);
  await sql`update seat set is_connected = false`.execute(app.database);
  for (let half = 1; half <= 24; half += 1) {
    await pass(MINUTE_MS / 2);
    await app.runJob('silent seats');
    const ended = Math.min(10, Math.floor(half / 2));
    await vi.waitFor(() => expect(browser.received).toHaveLength(ended));
  }
  const { rows } = await sql`select from seat where user_id = ${learner.userId}`.execute(
    app.database,
  );
  expect(rows).toEqual([]);
});

it('does not notify before a learner follows, nor after they have stopped or it was ended', async () => {
  const { learner, browser, roomId, schedule, url } = await seated();
  await pass(MINUTE_MS);
  await follow(learner, roomId, schedule?.startedAtMs);
  await follow(learner, roomId);
  await pass(MINUTE_MS);
  await follow(learner, roomId, schedule?.startedAtMs);
  await app.inject({ method: deletePomodoro.method, url, headers: learner.headers });
  await pass(MINUTE_MS);
  const other = await seated();
  await follow(other.learner, other.roomId, other.schedule?.startedAtMs);
  await pass(MINUTE_MS);
  await vi.waitFor(() => expect(other.browser.received).toHaveLength(1));
  expect(browser.received).toEqual([]);
});

it('does not notify of a phase that ended while nobody looked, half a minute ago', async () => {
  const { learner, browser, roomId, schedule } = await seated();
  await follow(learner, roomId, schedule?.startedAtMs);
  for (const at of [app, second]) at.clock.advance(MINUTE_MS + 31_000);
  await pass(0);
  await pass(29_000);
  await vi.waitFor(() => expect(browser.received).toEqual([{ kind: 'breakEnd' }]));
});

it('counts phases as the contract does', async () => {
  const { learner, roomId, schedule } = await seated();
  await follow(learner, roomId, schedule?.startedAtMs);
  await sql`update visit set schedule_focus_minutes = 3, schedule_break_minutes = 2
            where user_id = ${learner.userId}`.execute(app.database);
  const startedAtMs = schedule?.startedAtMs ?? 0;
  const lengths = { focusMinutes: 3, breakMinutes: 2, startedAtMs };
  for (let atMs = startedAtMs; atMs < startedAtMs + 12 * MINUTE_MS; atMs += 7_500) {
    const phase = pomodoroPhase(lengths, atMs);
    const untilMs = atMs + 7_500;
    const ends = await findPhaseEnds(app.database, new Date(atMs), new Date(untilMs));
    const expected = { userId: learner.userId, kind: phase.kind, atMs: phase.endsAtMs };
    expect(ends).toEqual(phase.endsAtMs <= untilMs ? [expected] : []);
  }
});

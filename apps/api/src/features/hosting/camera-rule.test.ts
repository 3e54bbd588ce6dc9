import { randomUUID } from 'node:crypto';
import {
  type Notice,
  type RoomId,
  reportPicture,
  SECOND_MS,
  type TimerMove,
  type TimerReply,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createFocusService } from '../../../test/focus-service.ts';
import { openMediaServer } from '../../../test/media-server.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { rebuildRecords } from '../focus/index.ts';
import { createCameraRuleRepository } from './camera-rule.repository.ts';
import { CameraRule } from './camera-rule.ts';

const media = await openMediaServer();
const { app } = await openTestSite({
  mediaServer: media.address,
  emptied: ['seat', 'study_room', 'study_day', 'study_record'],
});

/** A room with the rule, its host in it. */
async function openRoom(): Promise<{ host: Learner; roomId: RoomId }> {
  const host = await app.newLearner();
  const roomId = await app.openHostedRoom(host, { needsCamera: true });
  await app.seat(host, roomId);
  return { host, roomId };
}

/** The media server's answer: the seats that show a camera, null for no answer. */
interface Cameras {
  shown: readonly number[] | null;
  /** Connected, without a camera. */
  connected?: readonly number[];
  sanctioned?: UserId | undefined;
}

/** The rule in one process, with given answers of the media server. */
function startProcess(cameras: Cameras) {
  const sent: Notice[] = [];
  const { clock, database } = app;
  const rule = new CameraRule({
    ...createFocusService(app),
    repository: createCameraRuleRepository(database),
    notices: { send: (_userId, notice) => void sent.push(notice) },
    sanctions: {
      inForce: { find: (userId: UserId) => (userId === cameras.sanctioned ? {} : undefined) },
    } as never,
    findCameras: async () =>
      cameras.shown && {
        shown: new Set(cameras.shown),
        connected: new Set([...cameras.shown, ...(cameras.connected ?? [])]),
      },
    clock,
  });
  const checkAfter = async (seconds: number) => {
    app.clock.advance(seconds * 1_000);
    await rule.check();
  };
  const steps = () => sent.map((notice) => ('step' in notice ? notice.step : notice.kind));
  return { sent, steps, checkAfter };
}

const seatOf = async ({ userId }: Learner): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    select id from seat where user_id = ${userId}`.execute(app.database);
  return rows[0]?.id;
};

/** Sets whether a learner's realtime connection is open. */
const setConnected = ({ userId }: Learner, isConnected: boolean) =>
  sql`update seat set is_connected = ${isConnected} where user_id = ${userId}`.execute(
    app.database,
  );

/** A room with the rule and a process that finds the host's camera off from now on. */
async function openRoomWithoutCamera() {
  const { host, roomId } = await openRoom();
  await setConnected(host, true);
  const seatId = (await seatOf(host)) as number;
  const cameras: Cameras = { shown: [] };
  const process = startProcess(cameras);
  await process.checkAfter(0);
  return { host, roomId, seatId, cameras, ...process };
}

/** The status of a learner, and the closed intervals, in seconds. */
async function recordOf({ userId }: Learner) {
  const { rows } = await sql<{ status: string }>`
    select status from visit where user_id = ${userId} and ended_at is null`.execute(app.database);
  const closed = await sql<{ status: string; seconds: number }>`
    select status, extract(epoch from ended_at - started_at)::int as seconds
    from focus_interval where user_id = ${userId} order by started_at`.execute(app.database);
  return {
    status: rows[0]?.status,
    closed: closed.rows.map(({ status, seconds }) => `${status} ${seconds}`),
  };
}

const rosterNumber = async (roomId: RoomId): Promise<number> => {
  const { rows } = await sql<{ number: number }>`
    select roster_number as number from study_room where id = ${roomId}`.execute(app.database);
  return rows[0]?.number ?? 0;
};

/** Sends a press made `secondsAgo`; returns the status after it. */
const pressLate = async (learner: Learner, roomId: RoomId, move: TimerMove, secondsAgo: number) => {
  const { headers, userId } = await app.renew(learner);
  const press = { id: randomUUID(), atMs: app.clock.now().getTime() - secondsAgo * 1_000 };
  const payload = { userId, roomId, press };
  const answer = await app.inject({ method: 'POST', url: `/api/timer/${move}`, payload, headers });
  return answer.json<TimerReply>().clock.status;
};

const resume = async (learner: Learner, roomId: RoomId) =>
  (await app.move(await app.renew(learner), 'resume', roomId)).statusCode;

describe('in a room that requires the camera', () => {
  it('a learner with the camera off is warned after 30 s, away after a minute, and leaves after ten', async () => {
    const { host, roomId, sent, steps, checkAfter } = await openRoomWithoutCamera();
    await checkAfter(25);
    expect(sent).toEqual([]);
    await checkAfter(5);
    await checkAfter(25);
    expect(sent).toEqual([{ kind: 'cameraRule', roomId, step: 'warned', isBlack: false }]);
    expect(await recordOf(host)).toEqual({ status: 'focus', closed: [] });
    await checkAfter(5);
    expect(await recordOf(host)).toEqual({ status: 'away', closed: ['focus 60'] });
    await checkAfter(535);
    expect(steps()).toEqual(['warned', 'away']);
    expect(await seatOf(host)).toBeDefined();
    await checkAfter(5);
    expect(await seatOf(host)).toBeUndefined();
    expect(sent.at(-1)).toEqual({ kind: 'seatLost', roomId, reason: 'cameraOff' });
    expect(await recordOf(host)).toMatchObject({ closed: ['focus 60', 'away 540'] });
    expect(await rebuildRecords(app.database)).toMatchObject({ corrected: 0 });
  });

  it('a learner who shows it again resumes, and every second is counted once', async () => {
    const { host, seatId, cameras, steps, checkAfter } = await openRoomWithoutCamera();
    for (const seconds of [30, 30, 45]) await checkAfter(seconds);
    cameras.shown = [seatId];
    await checkAfter(5);
    expect(await recordOf(host)).toEqual({ status: 'focus', closed: ['focus 60', 'away 50'] });
    await checkAfter(20);
    expect(steps()).toEqual(['warned', 'away', 'back']);
    cameras.shown = [];
    await checkAfter(5);
    await checkAfter(25);
    expect(steps()).toHaveLength(3);
    await app.recordSeen(host);
    await app.leave(await app.renew(host));
    expect((await recordOf(host)).closed).toEqual(['focus 60', 'away 50', 'focus 50']);
    expect(await rebuildRecords(app.database)).toMatchObject({ corrected: 0 });
  });

  it('others see that the learner is away', async () => {
    const { host, roomId, checkAfter } = await openRoomWithoutCamera();
    const before = await rosterNumber(roomId);
    await checkAfter(30);
    await checkAfter(30);
    expect(await rosterNumber(roomId)).toBe(before + 1);
    expect((await recordOf(host)).status).toBe('away');
  });

  it('a learner who resumes without it has another minute; ten altogether', async () => {
    const { host, roomId, steps, checkAfter } = await openRoomWithoutCamera();
    for (const seconds of [30, 30]) await checkAfter(seconds);
    expect(await resume(host, roomId)).toBe(200);
    await checkAfter(55);
    expect((await recordOf(host)).status).toBe('focus');
    await checkAfter(5);
    expect((await recordOf(host)).status).toBe('away');
    expect(steps()).toEqual(['warned', 'away', 'away']);
    for (let passed = 0; passed < 480; passed += 60) {
      await checkAfter(60);
      await resume(host, roomId);
    }
    expect(await seatOf(host)).toBeUndefined();
  });

  it('a black picture, as reported by the page, counts as off; and its end is seen', async () => {
    const { host, roomId, seatId, cameras, sent, checkAfter } = await openRoomWithoutCamera();
    const report = async (isBlack: boolean, room = roomId) => {
      const { headers } = await app.renew(host);
      const url = reportPicture.path.replace(':roomId', String(room));
      return app.inject({ method: reportPicture.method, url, headers, payload: { isBlack } });
    };
    cameras.shown = [seatId];
    await checkAfter(5);
    expect((await report(true)).statusCode).toBe(200);
    for (const seconds of [0, 30, 30]) await checkAfter(seconds);
    expect((await recordOf(host)).status).toBe('away');
    expect(sent).toMatchObject([
      { step: 'warned', isBlack: true },
      { step: 'away', isBlack: true },
    ]);
    await report(false);
    await checkAfter(5);
    expect((await recordOf(host)).status).toBe('focus');
    expect((await report(true, (roomId + 1) as RoomId)).json()).toMatchObject({
      error: 'notSeated',
    });
  });

  it.each(['pause', 'away'] as const)(
    '%s excuses, and a camera seen in it restarts the time',
    async (move) => {
      const { host, roomId, seatId, cameras, steps, checkAfter } = await openRoomWithoutCamera();
      await checkAfter(30);
      expect((await app.move(host, move, roomId)).statusCode).toBe(200);
      await checkAfter(60);
      await checkAfter(3_600);
      cameras.shown = [seatId];
      await checkAfter(5);
      expect((await recordOf(host)).status).toBe(move);
      cameras.shown = [];
      await checkAfter(5);
      expect(await resume(host, roomId)).toBe(200);
      await checkAfter(0);
      await checkAfter(25);
      expect(steps()).toEqual(['warned']);
      await checkAfter(5);
      await checkAfter(30);
      expect(steps()).toEqual(['warned', 'warned', 'away']);
    },
  );

  it('breaks stop the time and do not restart it: short ones keep no seat without a camera', async () => {
    const { host, roomId, steps, checkAfter } = await openRoomWithoutCamera();
    for (let minute = 0; minute < 11; minute += 1) {
      for (const seconds of [25, 5, 20]) await checkAfter(seconds);
      expect((await recordOf(host)).status).toBe('focus');
      expect((await app.move(await app.renew(host), 'pause', roomId)).statusCode).toBe(200);
      for (const seconds of [5, 600]) await checkAfter(seconds);
      expect(await resume(host, roomId)).toBe(200);
    }
    expect(steps()).toEqual(Array(11).fill('warned'));
    for (const seconds of [25, 5, 20]) await checkAfter(seconds);
    expect(await seatOf(host)).toBeUndefined();
  });

  it('the time goes on in another seat: leaving and entering again keeps no focus without a camera', async () => {
    const { host, roomId, cameras, steps, checkAfter } = await openRoomWithoutCamera();
    const comeBack = async (afterSeconds: number) => {
      await app.leave(await app.renew(host));
      await checkAfter(afterSeconds);
      await app.seat(await app.renew(host), roomId);
    };
    for (let round = 0; round < 3; round += 1) {
      for (const seconds of [25, 20]) await checkAfter(seconds);
      await comeBack(5);
    }
    // In the second seat away a minute after the camera went off, in the third at the first check.
    expect((await recordOf(host)).closed).toEqual(['focus 45', 'focus 45', 'focus 25', 'away 20']);
    expect(steps()).toEqual(['warned', 'warned', 'away', 'warned', 'away']);
    await checkAfter(5);
    await app.recordSeen(host);
    expect((await recordOf(host)).status).toBe('away');
    // Ten minutes altogether cost the seat, and each later one after another warning, until the camera is seen.
    for (let passed = 0; passed < 470; passed += 10) await checkAfter(10);
    await comeBack(0);
    await checkAfter(5);
    expect((await recordOf(host)).status).toBe('away');
    await checkAfter(20);
    expect(await seatOf(host)).toBeDefined();
    await checkAfter(10);
    expect(await seatOf(host)).toBeUndefined();
    await comeBack(0);
    cameras.shown = [(await seatOf(host)) as number];
    await checkAfter(5);
    expect((await recordOf(host)).status).toBe('focus');
    await comeBack(5);
    await checkAfter(0);
    await checkAfter(25);
    expect(steps().at(-1)).not.toBe('warned');
  });

  it('the time is forgotten ten minutes after the last seat in the room', async () => {
    const { host, roomId, steps, checkAfter } = await openRoomWithoutCamera();
    for (const seconds of [25, 20]) await checkAfter(seconds);
    await app.leave(host);
    for (let passed = 0; passed < 610; passed += 10) await checkAfter(10);
    await app.seat(await app.renew(host), roomId);
    for (const seconds of [5, 25]) await checkAfter(seconds);
    expect(steps()).toEqual(['warned']);
  });

  it('late presses gain no focus out of breaks, in which no camera is required', async () => {
    const { host, roomId, checkAfter } = await openRoomWithoutCamera();
    await pressLate(host, roomId, 'pause', 0);
    for (let round = 0; round < 3; round += 1) {
      await checkAfter(80);
      expect(await pressLate(host, roomId, 'resume', 80)).toBe('focus');
      expect(await pressLate(host, roomId, 'pause', 0)).toBe('pause');
    }
    expect((await recordOf(host)).closed).toEqual(['pause 80', 'pause 80', 'pause 80']);
    await checkAfter(10);
    await pressLate(host, roomId, 'resume', 0);
    await checkAfter(20);
    expect(await pressLate(host, roomId, 'away', 15)).toBe('away');
    expect((await recordOf(host)).closed.slice(3)).toEqual(['pause 10', 'focus 5']);
  });

  it('another process starts with a warning: no restart sets anybody away, or costs a seat', async () => {
    const { host, cameras, checkAfter } = await openRoomWithoutCamera();
    await checkAfter(30);
    const second = startProcess(cameras);
    await second.checkAfter(590);
    await second.checkAfter(25);
    expect(second.steps()).toEqual(['warned']);
    await second.checkAfter(5);
    expect((await recordOf(host)).status).toBe('away');
    const third = startProcess(cameras);
    await third.checkAfter(600);
    expect(await seatOf(host)).toBeDefined();
    await third.checkAfter(570);
    expect(await seatOf(host)).toBeUndefined();
  });

  it('no measure is taken while the media server does not answer', async () => {
    const { host, cameras, steps, checkAfter } = await openRoomWithoutCamera();
    await checkAfter(30);
    cameras.shown = null;
    await checkAfter(600);
    cameras.shown = [];
    await checkAfter(5);
    await checkAfter(25);
    expect(steps()).toEqual(['warned']);
    expect((await recordOf(host)).status).toBe('focus');
  });

  it('no measure is taken for a camera that a sanction keeps off, and all are warned after it', async () => {
    const { host, cameras, steps, checkAfter } = await openRoomWithoutCamera();
    cameras.sanctioned = host.userId;
    await checkAfter(600);
    cameras.sanctioned = undefined;
    await checkAfter(5);
    await checkAfter(30);
    expect(steps()).toEqual(['warned']);
    expect((await recordOf(host)).status).toBe('focus');
  });

  it('a disconnected learner is left to the rule of silences; hiding that way does not help', async () => {
    const { host, seatId, cameras, steps, checkAfter } = await openRoomWithoutCamera();
    await setConnected(host, false);
    for (const seconds of [30, 30, 20]) await checkAfter(seconds);
    expect(steps()).toEqual([]);
    cameras.connected = [seatId];
    for (const seconds of [0, 30]) await checkAfter(seconds);
    expect(steps()).toEqual(['warned', 'away']);
  });

  it('a learner without a connection whose presses go on shows no camera either', async () => {
    const { host, roomId, steps, checkAfter } = await openRoomWithoutCamera();
    await setConnected(host, false);
    for (let round = 0; round < 3; round += 1) {
      app.clock.advance(25 * SECOND_MS);
      await resume(host, roomId);
      await checkAfter(5);
    }
    expect(steps()).toEqual(['warned', 'away']);
  });
});

it('the media server itself is asked: without a camera there one is away, while it hangs nobody is', async () => {
  const waitAndCheck = async (seconds: number) => {
    app.clock.advance(seconds * 1_000);
    await app.runJob('camera rule');
  };
  const { host } = await openRoom();
  await setConnected(host, true);
  for (const seconds of [0, 31, 30]) await waitAndCheck(seconds);
  expect((await recordOf(host)).status).toBe('away');
  const { host: other } = await openRoom();
  await setConnected(other, true);
  for (const seconds of [0, 31]) await waitAndCheck(seconds);
  await media.freeze();
  await waitAndCheck(30);
  expect((await recordOf(other)).status).toBe('focus');
});

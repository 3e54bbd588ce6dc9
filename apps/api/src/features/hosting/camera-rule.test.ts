import type { Notice, RoomId, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestMediaServer } from '../../../test/media-server.ts';
import { createTestApp, type Learner, type TestApp } from '../../../test/test-app.ts';
import { createRoomsRepository, RoomsService } from '../rooms/index.ts';
import { createCameraRuleRepository } from './camera-rule.repository.ts';
import { createCameraRule } from './camera-rule.ts';

let media: TestMediaServer;
let app: TestApp;
beforeAll(async () => {
  media = await TestMediaServer.start();
  app = await createTestApp({ mediaServer: media.address });
});
afterEach(() => app.empty('seat', 'study_room'));
afterAll(async () => {
  await app.close();
  await media.stop();
});

/** A room with the rule, its host in it. */
async function openRoom(): Promise<{ host: Learner; roomId: RoomId }> {
  const host = await app.newLearner();
  const answer = await app.inject({
    method: 'POST',
    url: '/api/hosted-rooms',
    headers: host.headers,
    payload: {
      name: 'camera',
      goal: '',
      capacity: 4,
      isPublic: true,
      needsApproval: false,
      needsCamera: true,
    },
  });
  const { roomId } = answer.json<{ roomId: RoomId }>();
  await app.seat(host, roomId);
  return { host, roomId };
}

/** The rule as the product has it, with the answers of the media server given. */
function ruleWith(cameras: { seatIds: readonly number[] | null; sanctioned?: UserId }) {
  const sent: Notice[] = [];
  const capacity = 20;
  const { clock, database } = app;
  const rule = createCameraRule({
    repository: createCameraRuleRepository(database),
    rooms: new RoomsService({ repository: createRoomsRepository(database), clock, capacity }),
    notices: { send: (_userId, notice) => void sent.push(notice) },
    sanctions: {
      standing: { find: (userId: UserId) => (userId === cameras.sanctioned ? {} : undefined) },
    } as never,
    findCameras: async () => cameras.seatIds,
    clock,
  });
  const checkAfter = async (seconds: number) => {
    app.clock.advance(seconds * 1_000);
    await rule.check();
  };
  return { sent, checkAfter };
}

const seatOf = async ({ userId }: Learner): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    select id from seat where user_id = ${userId}`.execute(app.database);
  return rows[0]?.id;
};

describe('in a room that asks for the camera', () => {
  it('who has it off is warned after a minute, once, and leaves after three', async () => {
    const { host, roomId } = await openRoom();
    const { sent, checkAfter } = ruleWith({ seatIds: [] });
    await checkAfter(0);
    await checkAfter(50);
    expect(sent).toEqual([]);
    await checkAfter(10);
    await checkAfter(10);
    expect(sent).toMatchObject([{ kind: 'cameraWarning', roomId }]);
    await checkAfter(100);
    expect(await seatOf(host)).toBeDefined();
    await checkAfter(10);
    expect(await seatOf(host)).toBeUndefined();
    expect(sent.at(-1)).toEqual({ kind: 'seatLost', roomId, reason: 'cameraOff' });
  });

  it('who has it on stays, and counts from the start when it goes off again', async () => {
    const { host } = await openRoom();
    const cameras: { seatIds: readonly number[] | null } = { seatIds: [] };
    const { sent, checkAfter } = ruleWith(cameras);
    await checkAfter(0);
    await checkAfter(170);
    cameras.seatIds = [(await seatOf(host)) as number];
    await checkAfter(5);
    await checkAfter(600);
    cameras.seatIds = [];
    await checkAfter(10);
    await checkAfter(170);
    expect(await seatOf(host)).toBeDefined();
    expect(sent.map(({ kind }) => kind)).toEqual(['cameraWarning', 'cameraWarning']);
  });

  it.each(['pause', 'away'] as const)(
    '%s excuses, and the time starts anew after it',
    async (move) => {
      const { host, roomId } = await openRoom();
      const { sent, checkAfter } = ruleWith({ seatIds: [] });
      await checkAfter(0);
      await checkAfter(170);
      await app.move(host, 'start', roomId);
      expect((await app.move(host, move, roomId)).statusCode).toBe(200);
      await checkAfter(60);
      await checkAfter(3_600);
      const awake = await app.renew(host);
      expect((await app.move(awake, 'resume', roomId)).statusCode).toBe(200);
      await checkAfter(0);
      await checkAfter(170);
      expect(await seatOf(host)).toBeDefined();
      expect(sent.every(({ kind }) => kind === 'cameraWarning')).toBe(true);
      await checkAfter(120);
      expect(await seatOf(host)).toBeUndefined();
    },
  );

  it('nobody leaves unwarned: not after a pause of the site, nor when a sanction ends', async () => {
    const { host } = await openRoom();
    const cameras: { seatIds: readonly number[]; sanctioned?: UserId } = {
      seatIds: [],
      sanctioned: host.userId,
    };
    const { sent, checkAfter } = ruleWith(cameras);
    await checkAfter(0);
    await checkAfter(600);
    delete cameras.sanctioned;
    await checkAfter(600);
    expect(sent.map(({ kind }) => kind)).toEqual(['cameraWarning']);
    await checkAfter(110);
    expect(await seatOf(host)).toBeDefined();
    await checkAfter(10);
    expect(await seatOf(host)).toBeUndefined();
  });

  it('nobody leaves for a media server that is down, or for a sanction', async () => {
    const { host } = await openRoom();
    const cameras: { seatIds: readonly number[] | null } = { seatIds: [] };
    const { checkAfter } = ruleWith(cameras);
    await checkAfter(0);
    cameras.seatIds = null;
    await checkAfter(175);
    cameras.seatIds = [];
    await checkAfter(10);
    await checkAfter(170);
    expect(await seatOf(host)).toBeDefined();
    const excused = ruleWith({ seatIds: [], sanctioned: host.userId });
    await excused.checkAfter(0);
    await excused.checkAfter(600);
    expect(await seatOf(host)).toBeDefined();
    expect(excused.sent).toEqual([]);
  });
});

it('the media server itself is asked: without a camera there the seat goes, while it hangs nobody leaves', async () => {
  const { host } = await openRoom();
  const waitAndCheck = async (seconds: number) => {
    app.clock.advance(seconds * 1_000);
    await app.runJob('camera rule');
  };
  await waitAndCheck(0);
  await waitAndCheck(61);
  await waitAndCheck(120);
  expect(await seatOf(host)).toBeUndefined();
  const { host: other } = await openRoom();
  await waitAndCheck(0);
  await waitAndCheck(61);
  media.freeze();
  await waitAndCheck(120);
  expect(await seatOf(other)).toBeDefined();
});

import { AddTrackRequest, SignalRequest, TrackSource, TrackType } from '@livekit/protocol';
import { createConnectionTest, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openMediaServer } from '../../../test/media-server.ts';
import { directly, openSignallingClients } from '../../../test/signalling-client.ts';
import { type Learner, MEDIA_KEY, MEDIA_SECRET } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { CONNECTION_TEST_SECONDS, connectionTestName } from './connection-test.ts';

const server = await openMediaServer();
const { app } = await openTestSite({ mediaServer: server.address });
const { join } = openSignallingClients(app);
const rooms = new RoomServiceClient(server.url, MEDIA_KEY, MEDIA_SECRET);

async function ask({ headers }: Learner): Promise<string> {
  const { method, path: url } = createConnectionTest;
  return (await app.inject({ method, url, headers })).json<{ token: string }>().token;
}

/** A token as the media server would renew it, with all permissions. */
function renewed(room: string, identity = room): Promise<string> {
  const token = new AccessToken(MEDIA_KEY, MEDIA_SECRET, { identity });
  token.addGrant({ room, roomJoin: true, canSubscribe: true });
  return token.toJwt();
}

const startedAgo = (ms: number, userId: UserId) => connectionTestName(userId, Date.now() - ms, 1);

it('is a room of the media server for a camera that nobody gets; no seat is taken', async () => {
  const learner = await app.newLearner();
  const { received, status } = await join(await ask(learner));
  expect(status).toBe(101);
  const { participant, otherParticipants } = await vi.waitFor(() => {
    const first = received[0]?.message;
    return first?.case === 'join' ? first.value : Promise.reject(new Error('not joined'));
  });
  expect(otherParticipants).toEqual([]);
  expect(participant?.permission).toMatchObject({
    canSubscribe: false,
    canPublish: true,
    canPublishData: false,
    canPublishSources: [TrackSource.CAMERA],
  });
  expect(Number(participant?.identity)).toBeNaN();
  const { rows } = await sql`select from seat where user_id = ${learner.userId}`.execute(
    app.database,
  );
  expect(rows).toEqual([]);
});

it('holds one connection: a token that somebody else has ends the first', async () => {
  const token = await ask(await app.newLearner());
  const first = await join(token);
  await vi.waitFor(() => expect(first.received.length).toBeGreaterThan(0));
  const second = await join(token);
  expect(second.status).toBe(101);
  await first.closed;
});

it.each([
  [
    'of another identity than its room',
    async (userId: UserId) => {
      const name = startedAgo(0, userId);
      return renewed(name, `${name.slice(0, -1)}x`);
    },
  ],
  ['for a study room', async (userId: UserId) => renewed('1', startedAgo(0, userId))],
  [
    'that the media server has renewed after its end',
    async (userId: UserId) => renewed(startedAgo(CONNECTION_TEST_SECONDS * 1_000, userId)),
  ],
])('does not open with a token %s', async (_, tokenOf) => {
  const { userId } = await app.newLearner();
  expect((await join(await tokenOf(userId))).status).toBe(403);
});

it('ends at once on a request to publish sound', async () => {
  const { socket, closed } = await join(await ask(await app.newLearner()));
  const sound = new AddTrackRequest({
    cid: 'own',
    type: TrackType.AUDIO,
    source: TrackSource.CAMERA,
  });
  socket.send(new SignalRequest({ message: { case: 'addTrack', value: sound } }).toBinary());
  await closed;
});

it('ends by itself in time', async () => {
  const { userId } = await app.newLearner();
  const name = startedAgo(CONNECTION_TEST_SECONDS * 1_000 - 1_500, userId);
  const { status, closed } = await join(await renewed(name));
  expect(status).toBe(101);
  await closed;
  await vi.waitFor(async () => expect(await rooms.listRooms([name])).toEqual([]));
});

it('ends in time even if the learner has closed the connection without leaving', async () => {
  const { userId } = await app.newLearner();
  const name = startedAgo(CONNECTION_TEST_SECONDS * 1_000 - 2_000, userId);
  const { received, socket } = await join(await renewed(name));
  await vi.waitFor(() => expect(received.length).toBeGreaterThan(0));
  socket.terminate();
  await vi.waitFor(async () => expect(await rooms.listRooms([name])).toEqual([]), 5_000);
});

it('ends at once for a suspended learner', async () => {
  const learner = await app.newLearner();
  const token = await ask(learner);
  const { closed } = await join(token);
  app.clock.advance(1);
  const now = app.clock.now();
  await sql`insert into sanction (user_id, kind, reason, decided_by, imposed_at, changed_at)
    values (${learner.userId}, 'suspend', '', 1, ${now}, ${now})`.execute(app.database);
  await app.runJob('sanctions');
  await closed;
  expect((await join(token)).status).toBe(403);
});

it('is ended by the reconciliation for a client that joins past our port, and until then left alone', async () => {
  const { userId } = await app.newLearner();
  const running = await join(await renewed(startedAgo(0, userId)), directly(server));
  const over = await join(
    await renewed(startedAgo(CONNECTION_TEST_SECONDS * 1_000, userId)),
    directly(server),
  );
  await app.runJob('rooms of the media server');
  await over.closed;
  expect(running.socket.readyState).toBe(WebSocket.OPEN);
});

it('is ended by the next step of the reconciliation, however many rooms this round has yet to check', async () => {
  const { userId } = await app.newLearner();
  await Promise.all(
    Array.from({ length: 60 }, (_, at) => rooms.createRoom({ name: `${9e6 + at}` })),
  );
  await app.runJob('rooms of the media server');
  const over = await join(
    await renewed(startedAgo(CONNECTION_TEST_SECONDS * 1_000, userId)),
    directly(server),
  );
  await app.runJob('rooms of the media server');
  await over.closed;
});

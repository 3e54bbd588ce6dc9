import {
  AddTrackRequest,
  SignalRequest,
  TrackSource,
  TrackType,
  UpdateParticipantMetadata,
} from '@livekit/protocol';
import {
  closeHostedRoom,
  logout,
  type RoomId,
  removeGuest,
  type SanctionKind,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openMediaServer } from '../../../test/media-server.ts';
import {
  directly,
  openSignallingClients,
  participantsOf,
  renewedToken,
  type SignallingClient,
  sit,
} from '../../../test/signalling-client.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

/** Maximum time until a learner without access is out of a room's media (design §6). */
const OUT_WITHIN_MS = 2_000;

const server = await openMediaServer();
const { app } = await openTestSite({ mediaServer: server.address });
const { join } = openSignallingClients(app);
/** Seated in the hostile client's room. */
let host: Learner;
let roomId: RoomId;
beforeEach(async () => {
  host = await app.newLearner();
  roomId = await app.openHostedRoom(host, { capacity: 20 });
});
afterEach(async () => {
  const url = closeHostedRoom.path.replace(':roomId', String(roomId));
  await app.inject({ method: closeHostedRoom.method, url, headers: host.headers });
});

/** A learner's participants, of any visit. */
const presentAs = async ({ userId }: Learner) =>
  (await participantsOf(server, roomId)).filter(({ identity }) =>
    identity.startsWith(`${userId}-`),
  );

/** As decided by a moderator at another process. */
const imposed =
  (kind: SanctionKind) =>
  async ({ userId }: Learner) => {
    app.clock.advance(1);
    const now = app.clock.now();
    await sql`
    insert into sanction (user_id, kind, room_id, reason, decided_by, imposed_at, changed_at)
    values (${userId}, ${kind}, ${kind === 'remove' ? roomId : null}, '', 1, ${now}, ${now})
  `.execute(app.database);
    await app.runJob('sanctions');
  };

async function removedByHost({ userId }: Learner): Promise<void> {
  const url = removeGuest.path.replace(':roomId', String(roomId)).replace(':guestId', `${userId}`);
  const answer = await app.inject({ method: removeGuest.method, url, headers: host.headers });
  expect(answer.statusCode).toBe(200);
}

async function loggedOut({ headers }: Learner): Promise<void> {
  const answer = await app.inject({ method: logout.method, url: logout.path, headers });
  expect(answer.statusCode).toBe(200);
}

describe('a kept token opens nothing, and its connected client is out at once,', () => {
  it.each<[string, (learner: Learner) => Promise<void>]>([
    ['after leaving', (learner) => app.leave(learner)],
    ['after a removal by the host', removedByHost],
    ['after a removal by a moderator', imposed('remove')],
    ['after a suspension', imposed('suspend')],
    ['after a ban', imposed('ban')],
    ['after a log-out', loggedOut],
  ])('%s', async (_, end) => {
    const learner = await app.newLearner();
    const { token } = await sit(app, learner, roomId);
    const client = await join(token);
    const tokens = [token, await renewedToken(client)];
    await vi.waitFor(async () => expect(await presentAs(learner)).toHaveLength(1));

    const endedAtMs = performance.now();
    await end(learner);
    await client.closed;
    await vi.waitFor(async () => expect(await presentAs(learner)).toEqual([]));
    expect(performance.now() - endedAtMs).toBeLessThan(OUT_WITHIN_MS);

    for (const kept of tokens) expect((await join(kept)).status).toBe(403);
    // An operator's own media server is reached directly: there the participant is removed when found.
    for (const kept of tokens) {
      const ghost = await join(kept, directly(server));
      if (ghost.status !== 101) continue;
      await vi.waitFor(async () => expect(await presentAs(learner)).toHaveLength(1));
      await app.runJob('rooms of the media server');
      await ghost.closed;
    }
    expect(await presentAs(learner)).toEqual([]);
  });
});

it('the same token twice is one participant: the earlier connection ends', async () => {
  const learner = await app.newLearner();
  const { token } = await sit(app, learner, roomId);
  const first = await join(token);
  const second = await join(token);
  await first.closed;
  expect(second.status).toBe(101);
  expect(await presentAs(learner)).toHaveLength(1);
});

describe('past our port, at an operator’s own media server, the grant refuses', () => {
  const signal = (message: SignalRequest['message']) => new SignalRequest({ message }).toBinary();
  const addTrack = (cid: string, type: TrackType, source: TrackSource) =>
    signal({ case: 'addTrack', value: new AddTrackRequest({ cid, type, source }) });
  const addCamera = () => addTrack('camera', TrackType.VIDEO, TrackSource.CAMERA);

  /** The tracks that the media server has accepted, once it has accepted the camera. */
  const acceptedTracks = ({ received }: SignallingClient) =>
    vi.waitFor(() => {
      const accepted = received.flatMap(({ message }) =>
        message.case === 'trackPublished' ? message.value.cid : [],
      );
      expect(accepted).toContain('camera');
      return accepted;
    });

  it.each([
    ['a microphone', TrackType.AUDIO, TrackSource.MICROPHONE],
    ['a screen', TrackType.VIDEO, TrackSource.SCREEN_SHARE],
    ['the sound of a screen', TrackType.AUDIO, TrackSource.SCREEN_SHARE_AUDIO],
  ])('%s', async (_, type, source) => {
    const learner = await app.newLearner();
    const { token } = await sit(app, learner, roomId);
    const client = await join(token, directly(server));
    client.socket.send(addTrack('forbidden', type, source));
    client.socket.send(addCamera());
    expect(await acceptedTracks(client)).toEqual(['camera']);
  });

  it('another name, metadata and attributes', async () => {
    const learner = await app.newLearner();
    const { token } = await sit(app, learner, roomId);
    const client = await join(token, directly(server));
    const value = new UpdateParticipantMetadata({
      name: 'somebody else',
      metadata: 'shown to everybody',
      attributes: { login: 'another', own: 'text' },
    });
    client.socket.send(signal({ case: 'updateMetadata', value }));
    client.socket.send(addCamera());
    await acceptedTracks(client);
    const [present] = await presentAs(learner);
    expect(present).toMatchObject({ name: learner.nickname, metadata: '' });
    expect(Object.keys(present?.attributes ?? {})).toEqual(['login']);
  });
});

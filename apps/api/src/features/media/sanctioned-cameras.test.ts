import { AddTrackRequest, SignalRequest, TrackSource, TrackType } from '@livekit/protocol';
import { getOwnSanctions, type OwnSanction, type RoomId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { TokenVerifier } from 'livekit-server-sdk';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openMediaServer } from '../../../test/media-server.ts';
import {
  directly,
  mediaTokenOf,
  openSignallingClients,
  participantsOf,
} from '../../../test/signalling-client.ts';
import { type Learner, MEDIA_KEY, MEDIA_SECRET } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const server = await openMediaServer();
const { app } = await openTestSite({ mediaServer: server.address });
const { join } = openSignallingClients(app);

async function mayPublish(room: RoomId): Promise<(boolean | undefined)[]> {
  const participants = await participantsOf(server, room);
  return participants.map(({ permission }) => permission?.canPublish);
}

/** Stores a decision of another process, and lets this one load it. */
async function impose({ userId }: Learner): Promise<number> {
  app.clock.advance(1);
  const now = app.clock.now();
  const { rows } = await sql<{ id: number }>`
    insert into sanction (user_id, kind, reason, decided_by, imposed_at, changed_at)
    values (${userId}, 'cameraOff', '', 1, ${now}, ${now}) returning id`.execute(app.database);
  await app.runJob('sanctions');
  return rows[0]?.id ?? 0;
}

async function lift(id: number): Promise<void> {
  app.clock.advance(1);
  const now = app.clock.now();
  await sql`update sanction set lifted_at = ${now}, changed_at = ${now} where id = ${id}`.execute(
    app.database,
  );
  await app.runJob('sanctions');
}

const own = async ({ headers }: Learner) => {
  const { method, path: url } = getOwnSanctions;
  const answer = await app.inject({ method, url, headers });
  return answer.json<{ sanctions: OwnSanction[] }>().sanctions;
};

describe('a camera that must stay off', () => {
  it('is withdrawn from a participant, who keeps seat and connection, and allowed again', async () => {
    const learner = await app.newLearner();
    const room = await app.seat(learner);
    const { socket } = await join(await mediaTokenOf(app, learner, room));
    await vi.waitFor(async () => expect(await mayPublish(room)).toEqual([true]));
    const id = await impose(learner);
    await vi.waitFor(async () => expect(await mayPublish(room)).toEqual([false]));
    expect(socket.readyState).toBe(WebSocket.OPEN);
    await lift(id);
    await vi.waitFor(async () => expect(await mayPublish(room)).toEqual([true]));
  });

  it('gets no token that publishes, and an earlier one opens nothing', async () => {
    const learner = await app.newLearner();
    const room = await app.seat(learner);
    const earlier = await mediaTokenOf(app, learner, room);
    await impose(learner);
    expect((await join(earlier)).status).toBe(403);
    const token = await mediaTokenOf(app, learner, room);
    const { video } = await new TokenVerifier(MEDIA_KEY, MEDIA_SECRET).verify(token);
    expect(video).toMatchObject({ canPublish: false, canSubscribe: true });
    expect((await join(token)).status).toBe(101);
  });

  it('is withdrawn again from a client that joins past our port', async () => {
    const learner = await app.newLearner();
    const room = await app.seat(learner);
    const earlier = await mediaTokenOf(app, learner, room);
    await impose(learner);
    await join(earlier, directly(server));
    await vi.waitFor(async () => expect(await mayPublish(room)).toHaveLength(1));
    await app.runJob('rooms of the media server');
    expect(await mayPublish(room)).toEqual([false]);
  });
});

describe('sound', () => {
  const publishSound = async (learner: Learner) => {
    const { socket } = await join(await mediaTokenOf(app, learner, await app.seat(learner)));
    const value = new AddTrackRequest({
      cid: 'own',
      type: TrackType.AUDIO,
      source: TrackSource.MICROPHONE,
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.send(new SignalRequest({ message: { case: 'addTrack', value } }).toBinary());
    await closed;
  };

  it('warns at first, and suspends for a day on repetition', async () => {
    const learner = await app.newLearner();
    await publishSound(learner);
    await vi.waitFor(async () => {
      expect(await own(learner)).toMatchObject([{ kind: 'warn', rule: 'sound' }]);
    });
    await publishSound(learner);
    await vi.waitFor(async () => {
      expect(await own(learner)).toMatchObject([
        { kind: 'suspend', rule: 'soundAgain', liftedAtMs: null },
        { kind: 'warn' },
      ]);
    });
    const [suspension] = await own(learner);
    const lastsMs = (suspension?.endsAtMs ?? 0) - (suspension?.imposedAtMs ?? 0);
    expect(lastsMs).toBe(24 * 60 * 60_000);
    expect(await app.seat(learner)).toBeUndefined();
    const { rows } = await sql`select action, actor_id as actor, details from audit_event
      where subject_id = ${learner.userId} order by id desc limit 1`.execute(app.database);
    expect(rows).toEqual([
      {
        action: 'sanctionImposed',
        actor: null,
        details: { kind: 'suspend', rule: 'soundAgain', hours: 24 },
      },
    ]);
  });
});

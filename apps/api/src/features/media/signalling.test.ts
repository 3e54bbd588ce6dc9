import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  AddTrackRequest,
  JoinRequest,
  ParticipantInfo_State,
  Ping,
  SessionDescription,
  SignalRequest,
  SignalResponse,
  SimulateScenario,
  SyncState,
  TrackSource,
  TrackType,
  TrickleRequest,
  WrappedJoinRequest,
} from '@livekit/protocol';
import type { RoomId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { AccessToken } from 'livekit-server-sdk';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { untilLocked } from '../../../test/lock-waits.ts';
import { openMediaServer, TestMediaServer } from '../../../test/media-server.ts';
import {
  directly,
  openSignallingClients,
  participantsOf as participantsIn,
  renewedToken,
  type SignallingClient,
  signallingAddress,
  sit,
} from '../../../test/signalling-client.ts';
import {
  createTestApp,
  type Learner,
  MEDIA_KEY,
  MEDIA_SECRET,
  type TestApp,
} from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { SILENT_SEAT_MS } from '../rooms/index.ts';
import { PairFilter } from './pair-filter.ts';

const server = await openMediaServer();
const { app, clients } = await openTestSite({ mediaServer: server.address });
const { join, terminateAll } = openSignallingClients(app);

const throughApi = (target = app) => signallingAddress(target);
const participantsOf = (room: RoomId) => participantsIn(server, room);

describe('signalling on our own port', () => {
  it('is open to the token of the present visit, and refused to one of an earlier visit', async () => {
    const [learner, other] = [await app.newLearner(), await app.newLearner()];
    await app.seat(other);
    const { token: first } = await sit(app, learner);
    const joined = await join(first);
    expect(joined.status).toBe(101);
    await app.leave(learner);
    await joined.closed;
    expect((await join(first)).status).toBe(403);

    const { token: second } = await sit(app, learner);
    expect((await join(first)).status).toBe(403);
    expect((await join(second)).status).toBe(101);
  });

  it('is refused to a log-in that another one has taken the seat from', async () => {
    const first = await app.newLearner();
    const { token } = await sit(app, first);
    const renewed = await renewedToken(await join(token));
    expect((await join(renewed)).status).toBe(101);
    const { token: taken } = await sit(app, await app.renew(first));
    expect((await join(token)).status).toBe(403);
    expect((await join(renewed)).status).toBe(403);
    expect((await join(taken)).status).toBe(101);

    const { token: takenBack } = await sit(app, first);
    expect((await join(taken)).status).toBe(403);
    expect((await join(takenBack)).status).toBe(101);
  });

  it('goes by one credential, however many are sent', async () => {
    const [learner, gone] = [await app.newLearner(), await app.newLearner()];
    const { room, token } = await sit(app, learner);
    const { token: old } = await sit(app, gone);
    await app.leave(gone);
    const header = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });
    expect((await join(token, header(old))).status).toBe(403);
    expect((await join(old, { query: `&access_token=${token}` })).status).toBe(403);
    expect((await join('', { query: `&access%5Ftoken=${old}` })).status).toBe(403);
    expect((await join(old, header(token))).status).toBe(101);
    expect((await join(token, { query: `&access_token=${old}&publish=more` })).status).toBe(101);
    const identities = (await participantsOf(room)).map(({ identity }) => identity);
    expect(identities.filter((identity) => identity.startsWith(`${learner.userId}-`))).toHaveLength(
      1,
    );
    expect(identities.join()).not.toMatch(/#|^$/u);
  });

  it('is refused to pages of a foreign origin, and to forged and foreign tokens', async () => {
    const { token } = await sit(app, await app.newLearner());
    const from = (origin: string) => ({ headers: { origin } });
    expect((await join(token, from('https://elsewhere.example'))).status).toBe(403);
    expect(
      (await join(token, from(throughApi().replace('ws', 'http').replace('/livekit', '')))).status,
    ).toBe(101);
    const forged = new AccessToken(MEDIA_KEY, 'x'.repeat(40), { identity: '1-1' });
    forged.addGrant({ room: '1', roomJoin: true });
    expect((await join(await forged.toJwt())).status).toBe(403);
    expect((await join('nonsense')).status).toBe(403);
  });

  it('says why a token is refused, and writes none into the log', async () => {
    const learner = await app.newLearner();
    const { token } = await sit(app, learner);
    const validate = (query: string) => app.inject({ url: `/livekit/rtc/validate?${query}` });
    expect((await validate(`access_token=${token}`)).body).toBe('success');
    await app.leave(learner);
    expect((await validate(`access%5Ftoken=${token}`)).json()).toMatchObject({
      error: 'notSeated',
    });
    expect(app.logLines.join('')).not.toContain(token);
  });

  it('has a limit on clients whose connection is not established', async () => {
    const hanging = await TestMediaServer.start();
    const limited = await createTestApp({
      mediaServer: hanging.address,
      env: { RATE_LIMIT_SCALE: '0.04' },
    });
    await limited.listen();
    try {
      const { token } = await sit(limited, await limited.newLearner());
      await hanging.freeze();
      const joining = [1, 2].map(() => join(token, { at: throughApi(limited) }));
      await vi.waitFor(async () => {
        expect((await join(token, { at: throughApi(limited) })).status).toBe(429);
      });
      terminateAll();
      await Promise.all(joining);
    } finally {
      await limited.close();
      await hanging.stop();
    }
  });
});

const addTrack = (track: ConstructorParameters<typeof AddTrackRequest>[0]) =>
  new SignalRequest({
    message: {
      case: 'addTrack',
      value: new AddTrackRequest({
        cid: 'own',
        type: TrackType.VIDEO,
        source: TrackSource.CAMERA,
        ...track,
      }),
    },
  });
const offer = (sdp: string) =>
  new SignalRequest({
    message: { case: 'offer', value: new SessionDescription({ type: 'offer', sdp }) },
  });

describe('a request to publish', () => {
  it.each([
    ['sound as a camera', addTrack({ type: TrackType.AUDIO })],
    ['sound', addTrack({ type: TrackType.AUDIO, source: TrackSource.MICROPHONE })],
    ['sound in a later offer', offer('v=0\r\nm=video 9\r\nm=audio 9\r\n')],
    ['a screen', addTrack({ source: TrackSource.SCREEN_SHARE })],
    ['a large picture', addTrack({ width: 1920, height: 1080 })],
    ['a picture of many sizes', addTrack({ layers: Array.from({ length: 5 }, () => ({})) })],
    [
      'a picture of many sizes in a codec',
      addTrack({
        simulcastCodecs: [{ codec: 'vp8', layers: Array.from({ length: 5 }, () => ({})) }],
      }),
    ],
    [
      'a picture of many codecs',
      addTrack({ simulcastCodecs: Array.from({ length: 9 }, () => ({})) }),
    ],
  ])('%s ends the visit at once, until the learner enters again', async (_, request) => {
    const [learner, other] = [await app.newLearner(), await app.newLearner()];
    const { room, token } = await sit(app, learner);
    const bystander = await join((await sit(app, other)).token);
    const { socket, closed } = await join(token);
    const logged = app.logLines.length;
    socket.send(request.toBinary());
    await closed;
    await vi.waitFor(async () => expect(await participantsOf(room)).toHaveLength(1));
    expect((await join(token)).status).toBe(403);
    expect(app.logLines.slice(logged).join('')).toContain('publishes what is not allowed');
    expect(bystander.socket.readyState).toBe(WebSocket.OPEN);

    const again = await join((await sit(app, learner)).token);
    expect(again.status).toBe(101);
    again.socket.send(addTrack({ width: 640, height: 360 }).toBinary());
    await app.runJob('rooms of the media server');
    expect(again.socket.readyState).toBe(WebSocket.OPEN);
    await Promise.all([app.leave(learner), app.leave(other)]);
  });

  it('is counted once', async () => {
    /** Resolves when the running checks have ended. */
    const removed = async () => {
      await app.runJob('rooms of the media server');
      const { checks } = (await app.inject({ url: '/readyz' })).json();
      return checks.media.removed;
    };
    const before = await removed();
    const { room, token } = await sit(app, await app.newLearner());
    const { socket, closed } = await join(token);
    socket.send(addTrack({ type: TrackType.AUDIO }).toBinary());
    await closed;
    await vi.waitFor(async () => expect(await participantsOf(room)).toEqual([]));
    expect(await removed()).toEqual({ ...before, notCamera: before.notCamera + 1 });
  });

  it('is only accepted in a form that is read', async () => {
    const { room, token } = await sit(app, await app.newLearner());
    const sound = addTrack({ type: TrackType.AUDIO });
    for (const [message, code] of [
      [sound.toJsonString(), 1003],
      [Buffer.from('nonsense'), 1003],
      [Buffer.alloc(600 * 1024), 1009],
      [offer(`v=0\r\nc=${'\u0001'.repeat(100)}\r\n`).toBinary(), 1003],
      [description(`v=0\r\nc=${'x'.repeat(2_000)}\r\n`), 1003],
      [addTrack({ source: TrackSource.CAMERA, name: 'x'.repeat(10_000) }).toBinary(), 1003],
    ] as const) {
      const { socket, closed } = await join(token);
      socket.send(message);
      expect(await closed).toBe(code);
    }
    const inJoin = new JoinRequest({ addTrackRequests: [sound.message.value as AddTrackRequest] });
    const wrapped = new WrappedJoinRequest({ joinRequest: inJoin.toBinary() }).toBinary();
    const query = `&join_request=${encodeURIComponent(Buffer.from(wrapped).toString('base64'))}`;
    expect((await join(token, { path: '/rtc/v1', query })).status).toBe(404);
    expect((await join(token, { query })).status).toBe(101);
    const tracks = (await participantsOf(room)).flatMap(({ tracks }) => tracks);
    expect(tracks).toEqual([]);
  });
});

const trickle = (candidateInit: string) =>
  new SignalRequest({
    message: { case: 'trickle', value: new TrickleRequest({ candidateInit }) },
  }).toBinary();

/** Long, as only session descriptions are. */
const description = (sdp: string) => {
  const value = new SyncState({ answer: new SessionDescription({ type: 'answer', sdp }) });
  return new SignalRequest({ message: { case: 'syncState', value } }).toBinary();
};

/** The media server's messages before its answer to a ping. */
async function answersOf(socket: WebSocket): Promise<(string | undefined)[]> {
  const cases: (string | undefined)[] = [];
  const answered = new Promise<void>((resolve) =>
    socket.on('message', (data) => {
      cases.push(SignalResponse.fromBinary(data as Buffer).message.case);
      if (cases.at(-1) === 'pongResp') resolve();
    }),
  );
  socket.send(new SignalRequest({ message: { case: 'pingReq', value: new Ping() } }).toBinary());
  await Promise.race([answered, once(socket, 'close')]);
  return cases;
}

describe('a signalling connection', () => {
  const say = (candidate: string) => (socket: WebSocket) => socket.send(trickle(candidate));
  const line = `a=${'x'.repeat(98)}\r\n`;
  const describe500KB = (socket: WebSocket) => socket.send(description(line.repeat(5_000)));

  it.each<[string, number, (socket: WebSocket) => void, number]>([
    ['many messages', 3_000, say(''), 1006],
    ['many bytes that are few when compressed', 20, describe500KB, 1006],
    ['many pongs', 3_000, (socket) => socket.pong(), 1006],
    ['many fragments of a message', 200, (socket) => socket.send('', { fin: false }), 1008],
  ])('with %s is ended; others are not', async (_, count, send, code) => {
    const { token } = await sit(app, await app.newLearner());
    const bystander = await join((await sit(app, await app.newLearner())).token);
    const { socket, closed } = await join(token);
    for (let sent = 0; sent < count; sent += 1) send(socket);
    expect(await closed).toBe(code);
    expect(await answersOf(bystander.socket)).toContain('pongResp');
  });

  it('carries at once what a client says when it joins a full room', async () => {
    const { socket } = await join((await sit(app, await app.newLearner())).token);
    for (let sent = 0; sent < 100; sent += 1) socket.send(trickle(' '.repeat(300)));
    for (let sent = 0; sent < 5; sent += 1) socket.send(description(line.repeat(1_000)));
    expect(await answersOf(socket)).toContain('pongResp');
  });

  it('carries only what our client says', async () => {
    const { socket } = await join((await sit(app, await app.newLearner())).token);
    const value = new SimulateScenario({ scenario: { case: 'serverLeave', value: true } });
    socket.send(new SignalRequest({ message: { case: 'simulate', value } }).toBinary());
    const answers = await answersOf(socket);
    expect(answers).toContain('pongResp');
    expect(answers).not.toContain('leave');
  });

  it('makes the media server send to few addresses that a client names, and to none against its settings', async () => {
    const double = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => double.close());
    await once(double, 'listening');
    const { port } = double.address() as AddressInfo;
    const other = await createTestApp({ mediaServer: { url: `http://127.0.0.1:${port}` } });
    onTestFinished(() => other.close());
    await other.listen();
    const connected = once(double, 'connection') as Promise<[WebSocket, IncomingMessage]>;
    const { socket } = await join((await sit(other, await other.newLearner())).token, {
      at: throughApi(other),
      query: '&disable_ice_lite=1&publish=1',
    });
    const [server, { url }] = await connected;
    expect(url).toBe('/rtc?auto_subscribe=1&protocol=16&sdk=js&version=2.0.0');

    const passedOn: SignalRequest['message'][] = [];
    server.on('message', (data) => passedOn.push(SignalRequest.fromBinary(data as Buffer).message));
    const ping = new SignalRequest({ message: { case: 'pingReq', value: new Ping() } }).toBinary();
    for (let sent = 0; sent < 100; sent += 1) socket.send(trickle(`candidate ${sent}`));
    const line = 'a=candidate:1 1 udp 1 192.0.2.1 9 typ host\r\n';
    socket.send(description(`v=0\r\n${line.repeat(3_000)}a=ice-lite\r\n${line}`));
    socket.send(ping);
    await vi.waitFor(() => expect(passedOn.at(-1)?.case).toBe('pingReq'));
    expect(passedOn.filter((message) => message.case === 'trickle')).toHaveLength(64);
    const [described] = passedOn.filter((message) => message.case === 'syncState');
    expect(described?.value.answer?.sdp).toBe('v=0\r\na=ice-lite\r\n');
  });

  it.each(['end', 'resetAndDestroy'] as const)(
    'whose client is gone (%s) before blocks are known opens none at the media server, and follows no block',
    async (go) => {
      const double = createServer().listen(0, '127.0.0.1');
      await once(double, 'listening');
      const joined: string[] = [];
      const sockets: Duplex[] = [];
      double.on('upgrade', ({ headers }, socket) => {
        joined.push(String(headers['user-agent']));
        sockets.push(socket);
      });
      const { port } = double.address() as AddressInfo;
      const other = await createTestApp({ mediaServer: { url: `http://127.0.0.1:${port}` } });
      await other.listen();
      const learner = await other.newLearner();
      const { token } = await sit(other, learner);
      other.queries.splice(0);
      const lock = await other.database.startTransaction().execute();
      try {
        await sql`lock table block in access exclusive mode`.execute(lock);
        const at = throughApi(other);
        const gone = connect(Number(new URL(at).port), '127.0.0.1');
        gone.write(
          `GET /livekit/rtc?access_token=${token} HTTP/1.1\r\nHost: x\r\nUser-Agent: gone\r\nUpgrade: websocket\r\n` +
            'Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n',
        );
        await untilLocked(other.database, 1, 'from block');
        gone[go]();
        // Behind the client that has gone: once this one is let through, the other has finished.
        const present = join(token, { at, headers: { 'user-agent': 'present' } });
        await vi.waitFor(() => {
          expect(other.queries.filter((text) => text.includes('from seat'))).toHaveLength(2);
        });
        await lock.rollback().execute();
        await vi.waitFor(() => expect(joined).toEqual(['present']));
        const followed = vi.spyOn(PairFilter.prototype, 'change');
        const { userId } = await other.newLearner();
        await other.inject({
          method: 'PUT',
          url: `/api/blocks/${userId}`,
          headers: learner.headers,
        });
        await vi.waitFor(() => expect(followed).toHaveBeenCalledWith(userId, true));
        expect(new Set(followed.mock.contexts).size).toBe(1);
        for (const socket of sockets) socket.destroy();
        await present;
      } finally {
        vi.restoreAllMocks();
        if (!lock.isRolledBack) await lock.rollback().execute();
        await other.close();
        double.close();
      }
    },
  );

  it('is limited in how often a learner tries to open one, before the seat is looked up', async () => {
    const [learner, gone] = [await app.newLearner(), await app.newLearner()];
    const { token } = await sit(app, learner);
    const { token: old } = await sit(app, gone);
    await app.leave(gone);
    const limited = await createTestApp({
      besides: app,
      mediaServer: server.address,
      env: { RATE_LIMIT_SCALE: '0.04' },
    });
    await limited.listen();
    try {
      const attempt = async (tried: string) => {
        limited.queries.splice(0);
        const { status } = await join(tried, { at: throughApi(limited) });
        return [status, limited.queries.filter((text) => text.includes('from seat')).length];
      };
      for (const [tried, status] of [
        [token, 101],
        [old, 403],
      ] as const) {
        expect(await attempt(tried)).toEqual([status, 1]);
        expect(await attempt(tried)).toEqual([status, 1]);
        expect(await attempt(tried)).toEqual([429, 0]);
      }
      const { statusCode } = await limited.inject({
        url: `/livekit/rtc/validate?access_token=${old}`,
      });
      expect(statusCode).toBe(429);
    } finally {
      await limited.close();
    }
  });

  it('ends when its client has vanished', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const [vanished, present] = await Promise.all(
        [{ autoPong: false }, {}].map(async (options) =>
          join((await sit(app, await app.newLearner())).token, options),
        ),
      );
      const pinged = [vanished, present].map((client) => once(client?.socket as WebSocket, 'ping'));
      vi.advanceTimersByTime(10_000);
      await Promise.all(pinged);
      await answersOf(present?.socket as WebSocket);
      vi.advanceTimersByTime(10_000);
      expect(await vanished?.closed).toBe(1006);
      expect(present?.socket.readyState).toBe(WebSocket.OPEN);
    } finally {
      vi.useRealTimers();
    }
  });
});

/** An event as the media server sends it. */
async function postEvent(event: object, secret = MEDIA_SECRET) {
  const payload = JSON.stringify(event);
  const token = new AccessToken(MEDIA_KEY, secret);
  token.sha256 = createHash('sha256').update(payload).digest('base64');
  return app.inject({
    method: 'POST',
    url: '/livekit/webhook',
    payload,
    headers: {
      'content-type': 'application/webhook+json',
      authorization: await token.toJwt(),
    },
  });
}

describe('the signalling of two learners with a block', () => {
  /** The learners that a client knows of, after everything it received. */
  const known = ({ received }: SignallingClient) => {
    const present = new Map<string, string>();
    for (const { message } of received) {
      const infos =
        message.case === 'join'
          ? message.value.otherParticipants
          : message.case === 'update'
            ? message.value.participants
            : [];
      for (const { identity, name, state } of infos) {
        if (state === ParticipantInfo_State.DISCONNECTED) present.delete(identity);
        else present.set(identity, name);
      }
    }
    return [...present.values()];
  };
  const block = (blocker: Learner, { userId }: Learner, method: 'PUT' | 'DELETE' = 'PUT') =>
    app.inject({ method, url: `/api/blocks/${userId}`, headers: blocker.headers });

  it('names neither to the other, from the block on, after returning, and until it is lifted', async () => {
    const [blocker, blocked, other] = [
      await app.newLearner(),
      await app.newLearner(),
      await app.newLearner(),
    ];
    const room = await app.openRoom();
    const seats = [
      await sit(app, blocker, room),
      await sit(app, blocked, room),
      await sit(app, other, room),
    ] as const;
    const byBlocker = await join(seats[0].token);
    const byOther = await join(seats[2].token);
    const byBlocked = await join(seats[1].token);
    await vi.waitFor(() => {
      expect(known(byBlocker)).toContain(blocked.nickname);
      expect(known(byBlocked)).toContain(blocker.nickname);
    });

    await block(blocker, blocked);
    await vi.waitFor(() => {
      expect(known(byBlocker)).not.toContain(blocked.nickname);
      expect(known(byBlocked)).not.toContain(blocker.nickname);
    });
    expect(known(byOther)).toEqual(expect.arrayContaining([blocker.nickname, blocked.nickname]));

    byBlocked.socket.terminate();
    const again = await join(seats[1].token);
    await vi.waitFor(() => expect(known(again)).toContain(other.nickname));
    expect(JSON.stringify(again.received)).not.toContain(blocker.nickname);
    expect(known(byBlocker)).not.toContain(blocked.nickname);

    await block(blocker, blocked, 'DELETE');
    await vi.waitFor(() => {
      expect(known(byBlocker)).toContain(blocked.nickname);
      expect(known(again)).toContain(blocker.nickname);
    });
    for (const learner of [blocker, blocked, other]) await app.leave(learner);
  });
});

describe('a client that joins the media server past our port', () => {
  /** A token of an earlier visit, used directly at the media server. */
  async function joinAfterLeaving() {
    const learner = await app.newLearner();
    const { room, token } = await sit(app, learner);
    await app.leave(learner);
    return { room, ghost: await join(token, directly(server)) };
  }

  it('is removed when the media server reports it; a repeated or late report changes nothing', async () => {
    const { token: seatedToken } = await sit(app, await app.newLearner());
    const seated = await join(seatedToken, directly(server));
    const { room, ghost } = await joinAfterLeaving();
    expect(ghost.status).toBe(101);
    const joined = { event: 'participant_joined', room: { name: String(room) } };
    expect((await postEvent(joined)).statusCode).toBe(204);
    await ghost.closed;
    expect((await postEvent(joined)).statusCode).toBe(204);
    expect((await postEvent({ ...joined, room: { name: 'another product' } })).statusCode).toBe(
      204,
    );
    expect(seated.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('is removed without any report, by the reconciliation', async () => {
    const { ghost } = await joinAfterLeaving();
    await app.runJob('rooms of the media server');
    await ghost.closed;
  });

  it('is not removed by a forged report', async () => {
    const { room, ghost } = await joinAfterLeaving();
    const joined = { event: 'participant_joined', room: { name: String(room) } };
    expect((await postEvent(joined, 'y'.repeat(40))).statusCode).toBe(401);
    expect(ghost.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('a silent learner', () => {
  const STEP_MS = 20_000;

  /** Advances beyond the time after which a silent seat is given up. */
  async function waitLong(target: TestApp, jobs: readonly string[]): Promise<void> {
    for (let passedMs = 0; passedMs <= SILENT_SEAT_MS + 60_000; passedMs += STEP_MS) {
      target.clock.advance(STEP_MS);
      for (const job of jobs) await target.runJob(job);
    }
  }

  const hangingMedia = async () => {
    const hanging = await TestMediaServer.start();
    await hanging.freeze();
    return { mediaServer: hanging.address, stop: () => hanging.stop() };
  };
  const nothingToStop = { mediaServer: {}, stop: async () => undefined };

  it.each([
    ['is missing', async () => ({ ...nothingToStop, mediaServer: null })],
    ['is down', async () => nothingToStop],
    ['hangs', hangingMedia],
  ])('gives up the seat when the media server %s: nobody is sent to ghosts', async (_, provide) => {
    const { stop, mediaServer } = await provide();
    const quiet = await createTestApp({ mediaServer });
    await quiet.listen();
    try {
      await sql`insert into study_room (capacity) values (20), (20)`.execute(quiet.database);
      const [ghostRoom, room] = [1, 2] as RoomId[];
      for (let ghost = 0; ghost < 2; ghost += 1)
        await quiet.seat(await quiet.newLearner(), ghostRoom);
      const [alive, newcomer] = [await quiet.newLearner(), await quiet.newLearner()];
      await quiet.seat(alive, room);
      await clients.connect(quiet, { headers: { Authorization: `Bearer ${alive.token}` } });
      quiet.clock.advance(STEP_MS * 3);
      await quiet.runJob('silent learners in media').catch(() => undefined);
      await waitLong(quiet, ['proof of life', 'silent learners', 'silent seats']);
      expect(await quiet.seat(newcomer)).toBe(room);
    } finally {
      await clients.closeAll();
      await quiet.close();
      await stop();
    }
  });

  it('keeps the seat while their camera is connected', async () => {
    const learner = await app.newLearner();
    const { room, token } = await sit(app, learner);
    await join(token);
    await waitLong(app, ['silent learners in media', 'silent learners', 'silent seats']);
    expect(await app.seat(await app.renew(learner))).toBe(room);
    const seats = (await participantsOf(room)).map(({ identity }) => identity);
    expect(seats).toContainEqual(expect.stringMatching(`^${learner.userId}-`));
  });
});

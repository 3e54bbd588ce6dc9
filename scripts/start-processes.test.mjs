import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@stomp/stompjs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { askProcess, connectToProcess, untilServing } from '../test/connect-to-process.ts';
import { hasRedis, startRedis } from '../test/redis-server.ts';
import { apiPids, mediaPid, postgresPid, startStack } from '../test/running-stack.ts';

const PROCESSES = 2;
/** Run alone, it may have to build the pages. */
const BUILT_TIMEOUT_MS = 240_000;

/** Which process has a connection is read from /proc. */
const canRun = hasRedis && process.platform === 'linux';

describe.skipIf(!canRun)('API_PROCESSES=2 REDIS_URL=… npm start', () => {
  let redis;
  let stack;
  const closers = [];

  beforeAll(async () => {
    redis = await startRedis();
    const env = { API_PROCESSES: String(PROCESSES), REDIS_URL: redis.url };
    stack = await startStack('start-processes', env);
  }, BUILT_TIMEOUT_MS);
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  afterAll(async () => {
    await stack?.stop();
    await redis?.close();
  });

  const untilAllServe = (gone) => untilServing(stack, PROCESSES, gone);

  /** Asks one of the processes, on a new connection. */
  async function ask(pid, method, path, content) {
    const { status, text } = await askProcess(stack, pid, { method, path, ...content });
    return { status, body: JSON.parse(text) };
  }

  /** A learner who signs up and logs in at one process. */
  async function newLearner(pid) {
    const nickname = `n${crypto.randomUUID().slice(0, 8)}`;
    const account = { email: `${nickname}@example.org`, password: 'Blue-lamp-42' };
    const consents = { age: true, terms: true, privacy: true };
    const { body: made } = await ask(pid, 'POST', '/api/auth/signup', {
      body: { ...account, nickname, consents },
    });
    const { body: loggedIn } = await ask(pid, 'POST', '/api/auth/login', { body: account });
    return { userId: made.userId, token: loggedIn.token };
  }

  async function enter(pid, { userId, token }) {
    const path = `/api/study-rooms/enter?userId=${userId}`;
    return (await ask(pid, 'POST', path, { token })).body.roomId;
  }

  /** A learner's realtime connection to one process, with the texts that it receives. */
  async function connectChat(pid, { userId, token }, roomId) {
    const heard = [];
    let isClosed = false;
    const socket = await connectToProcess(stack, pid);
    const client = new Client({
      webSocketFactory: () =>
        new WebSocket(`ws://127.0.0.1:${stack.port}/ws/websocket`, ['v12.stomp'], {
          createConnection: () => socket,
        }),
      connectHeaders: { Authorization: `Bearer ${token}` },
      reconnectDelay: 0,
      onWebSocketClose: () => {
        isClosed = true;
      },
    });
    closers.push(() => client.deactivate());
    await new Promise((resolve) => {
      client.onConnect = resolve;
      client.activate();
    });
    const subscribed = new Promise((resolve) => client.watchForReceipt('subscribed', resolve));
    client.subscribe('/topic/messages', ({ body }) => heard.push(JSON.parse(body).content), {
      receipt: 'subscribed',
    });
    await subscribed;
    return {
      heard,
      isClosed: () => isClosed,
      say: (content) =>
        client.publish({
          destination: '/pub/chat',
          body: JSON.stringify({ senderId: userId, roomId, content }),
        }),
    };
  }

  /** Signalling through one process; resolves with the first message of the media server. */
  async function joinMedia(pid, token) {
    const connection = await connectToProcess(stack, pid);
    const parameters = `access_token=${token}&auto_subscribe=1&protocol=16&sdk=js&version=2.0.0`;
    const socket = new WebSocket(`ws://127.0.0.1:${stack.port}/livekit/rtc?${parameters}`, {
      createConnection: () => connection,
    });
    closers.push(() => socket.terminate());
    const [message] = await once(socket, 'message');
    return { socket, message };
  }

  test('a log-in, a seat, messages and media tokens of one process are known to the other', async () => {
    const [here, there] = await untilAllServe();
    const [one, other] = [await newLearner(here), await newLearner(there)];
    const roomId = await enter(there, one);
    expect(await enter(here, other)).toBe(roomId);

    const [atHere, atThere] = [
      await connectChat(here, one, roomId),
      await connectChat(there, other, roomId),
    ];
    atHere.say('from the first process');
    atThere.say('from the second process');
    for (const { heard } of [atHere, atThere]) {
      await vi.waitFor(() =>
        expect(heard.toSorted()).toEqual(['from the first process', 'from the second process']),
      );
    }

    const identity = String(one.userId);
    const { body } = await ask(here, 'POST', '/api/livekit/token', {
      token: one.token,
      body: { roomName: String(roomId), identity },
    });
    const { message } = await joinMedia(there, body.token);
    expect(String(message)).toContain(`${identity}-`);
  });

  test('SIGHUP replaces one process after the other without a failed request', async () => {
    const old = await untilAllServe();
    const others = [await mediaPid(stack), await postgresPid(stack)];
    const { userId, token } = await newLearner(old[0]);
    const enterUrl = `${stack.url}/api/study-rooms/enter?userId=${userId}`;
    const failures = [];
    const numbersAtOnce = new Set();
    let answers = 0;
    let isStopped = false;
    const enterAgainAndAgain = async (headers) => {
      while (!isStopped) {
        await fetch(enterUrl, {
          method: 'POST',
          headers: { ...headers, authorization: `Bearer ${token}` },
        }).then(
          async (answer) => {
            await answer.text();
            if (answer.ok) answers += 1;
            else failures.push(answer.status);
          },
          (error) => failures.push(error.cause?.code ?? error.message),
        );
        numbersAtOnce.add((await apiPids(stack)).length);
      }
    };
    const asking = [{}, {}, { connection: 'close' }].map(enterAgainAndAgain);
    stack.child.kill('SIGHUP');
    const present = await untilAllServe(old);
    isStopped = true;
    await Promise.all(asking);

    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(100);
    expect(Math.min(...numbersAtOnce)).toBe(PROCESSES);
    expect(present).toHaveLength(PROCESSES);
    expect([await mediaPid(stack), await postgresPid(stack)]).toEqual(others);
  });

  test('kill -9 of one process leaves the other alone; it is started again', async () => {
    const [killed, other] = await untilAllServe();
    const [one, two] = [await newLearner(killed), await newLearner(other)];
    const roomId = await enter(killed, one);
    await enter(other, two);
    const [lost, kept] = [
      await connectChat(killed, one, roomId),
      await connectChat(other, two, roomId),
    ];
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(() => expect(lost.isClosed()).toBe(true));
    expect(await enter(other, one)).toBe(roomId);
    kept.say('while one is away');
    await vi.waitFor(() => expect(kept.heard).toContain('while one is away'));

    const present = await untilAllServe([killed]);
    expect(present).toContain(other);
    const back = await connectChat(
      present.find((pid) => pid !== other),
      one,
      roomId,
    );
    back.say('from the new process');
    await vi.waitFor(() => expect(kept.heard).toContain('from the new process'));
    expect(kept.isClosed()).toBe(false);
  });

  test('Ctrl-C ends all of it', async () => {
    const pids = [
      ...(await untilAllServe()),
      await mediaPid(stack),
      await postgresPid(stack),
      stack.child.pid,
    ];
    const ended = once(stack.child, 'exit');
    stack.child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    await vi.waitFor(() => {
      for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });
    expect(existsSync(join(stack.dataDir, 'instance.json'))).toBe(false);
    await expect(fetch(`${stack.url}/livez`)).rejects.toThrow('fetch failed');
  });
});

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  answerAppeal,
  enterRoom,
  getOwnSanctions,
  getProfile,
  login,
  signup,
} from '@mogakgong/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { admin } from '../test/admin-command.ts';
import { untilServing } from '../test/connect-to-process.ts';
import { fastFolder } from '../test/data-dir.ts';
import {
  appeal,
  askMediaToken,
  ban,
  callAt,
  connectChat,
  enter,
  joinMedia,
  newLearner,
  newModerator,
  reportAndClaim,
} from '../test/process-learners.ts';
import { hasRedis, startRedis } from '../test/redis-server.ts';
import { apiPids, mediaPid, postgresPid, startStack } from '../test/running-stack.ts';

const PROCESSES = 2;
/** The time in which a decision reaches media and chat (design §1). */
const OUT_WITHIN_MS = 2_000;
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
    stack = await startStack('start-processes', env, await fastFolder());
  }, BUILT_TIMEOUT_MS);
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  afterAll(async () => {
    await stack?.stop();
    await redis?.close();
  });

  const untilAllServe = (gone) => untilServing(stack, PROCESSES, gone);

  const at = (pid) => ({ stack, pid });
  /** Is closed after the test. */
  const keep = async (opening) => {
    const opened = await opening;
    closers.push(opened.close);
    return opened;
  };
  const connect = (pid, learner, roomId) => keep(connectChat(at(pid), learner, roomId));

  test('a log-in, a seat, messages and media tokens of one process are known to the other', async () => {
    const [here, there] = await untilAllServe();
    const [one, other] = [await newLearner(at(here)), await newLearner(at(there))];
    const roomId = await enter(at(there), one);
    expect(await enter(at(here), other)).toBe(roomId);

    const [atHere, atThere] = [
      await connect(here, one, roomId),
      await connect(there, other, roomId),
    ];
    atHere.say('from the first process');
    atThere.say('from the second process');
    for (const { heard } of [atHere, atThere]) {
      await vi.waitFor(() =>
        expect(heard.toSorted()).toEqual(['from the first process', 'from the second process']),
      );
    }

    const { reply } = await askMediaToken(at(here), one, roomId);
    const { message } = await keep(joinMedia(at(there), reply.token));
    expect(message).toContain(`${one.userId}-`);
  });

  test('a learner who is banned at one process is out of chat and media of the other, until it is lifted', async () => {
    const [here, there] = await untilAllServe();
    const [moderator, judge] = [await newModerator(at(here)), await newModerator(at(there))];
    const [reporter, offender] = [await newLearner(at(here)), await newLearner(at(there))];
    const roomId = await enter(at(here), reporter);
    expect(await enter(at(there), offender)).toBe(roomId);
    const chats = [await connect(there, offender, roomId), await connect(here, offender, roomId)];
    const { token } = (await askMediaToken(at(there), offender, roomId)).reply;
    const media = await keep(joinMedia(at(there), token));

    const people = { reporter, offender, moderator, roomId };
    const caseId = await reportAndClaim(at(here), people);
    const startMs = performance.now();
    expect((await ban(at(here), moderator, caseId)).decision).toBe('ban');
    const ends = await Promise.all([media, ...chats].map(({ closedAtMs }) => closedAtMs));
    expect(Math.max(...ends) - startMs).toBeLessThan(OUT_WITHIN_MS);

    const statusesAt = async (pid) => {
      const enter = await callAt(at(pid), enterRoom, {
        learner: offender,
        query: { userId: offender.userId },
      });
      return [enter.status, (await askMediaToken(at(pid), offender, roomId)).status];
    };
    for (const pid of [here, there]) {
      expect(await statusesAt(pid)).toEqual([403, 403]);
      await expect(joinMedia(at(pid), token)).rejects.toThrow('Unexpected server response: 403');
      const again = await connect(pid, offender, roomId);
      await vi.waitFor(() => expect(again.isClosed()).toBe(true));
    }

    const mine = await callAt(at(there), getOwnSanctions, { learner: offender });
    const [sanction] = mine.reply.sanctions;
    expect(sanction).toMatchObject({ kind: 'ban', reason: 'insults', rule: null });
    await appeal(at(there), offender, sanction);
    const answered = await callAt(at(there), answerAppeal, {
      learner: judge,
      params: { sanctionId: sanction.id },
      body: { outcome: 'lifted', answer: 'You are right.' },
    });
    expect(answered.status).toBe(200);
    for (const pid of [here, there]) {
      await vi.waitFor(async () => expect((await statusesAt(pid))[0]).toBe(200));
    }
    const back = await connect(here, offender, await enter(at(here), offender));
    expect(back.isClosed()).toBe(false);
  });

  test('SIGHUP replaces one process after the other without a failed request', async () => {
    const old = await untilAllServe();
    const others = [await mediaPid(stack), await postgresPid(stack)];
    const { userId, token } = await newLearner(at(old[0]));
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

  test('a rotation of the secret costs no log-in and no request', async () => {
    const old = await untilAllServe();
    const send = ({ method, path }, body, headers = {}) =>
      fetch(`${stack.url}${path}`, {
        method,
        headers: { connection: 'close', 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
    const account = { email: 'rotation@example.org', password: 'Blue-lamp-42' };
    const consents = { age: true, terms: true, privacy: true };
    await send(signup, { ...account, nickname: 'rotation', consents });
    const statuses = { 200: 0 };
    let isStopped = false;
    const logInAgainAndAgain = async () => {
      while (!isStopped) {
        const { token } = await (await send(login, account)).json();
        const { status } = await send(getProfile, null, { authorization: `Bearer ${token}` });
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    // Connections that come at once are taken by both processes.
    const asking = Array.from({ length: 4 }, logInAgainAndAgain);
    await admin(stack, 'secrets rotate');
    stack.child.kill('SIGHUP');
    await vi.waitFor(() => admin(stack, 'secrets prune'), { timeout: 60_000, interval: 1_000 });
    const rotated = await untilAllServe(old);
    stack.child.kill('SIGHUP');
    await untilAllServe(rotated);
    isStopped = true;
    await Promise.all(asking);
    expect(statuses[200]).toBeGreaterThan(20);
    expect(Object.keys(statuses)).toEqual(['200']);
    expect(await admin(stack, 'secrets')).toMatch(/^\S+ {2}signs .*\n$/);
  });

  test('kill -9 of one process leaves the other alone; it is started again', async () => {
    const [killed, other] = await untilAllServe();
    const [one, two] = [await newLearner(at(killed)), await newLearner(at(other))];
    const roomId = await enter(at(killed), one);
    await enter(at(other), two);
    const [lost, kept] = [await connect(killed, one, roomId), await connect(other, two, roomId)];
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(() => expect(lost.isClosed()).toBe(true));
    expect(await enter(at(other), one)).toBe(roomId);
    kept.say('while one is away');
    await vi.waitFor(() => expect(kept.heard).toContain('while one is away'));

    const present = await untilAllServe([killed]);
    expect(present).toContain(other);
    const back = await connect(
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

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { BOARD_IMAGE_MAX_BYTES, type RouteDefinition } from '@mogakgong/contract';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { fillToLimits } from '../test/at-limits.ts';
import { databaseUrl } from '../test/backups.ts';
import {
  type Case,
  changing,
  growing,
  pictures,
  shortLists,
  type Weighing,
} from '../test/calls-at-limits.ts';
import { type RouteName, routes } from '../test/contract-routes.ts';
import { fillGroups } from '../test/groups-at-limits.ts';
import { type AnyRequest, injection } from '../test/injection.ts';
import { newModerator } from '../test/reported-cases.ts';
import { rowOf, sampleRequest } from '../test/sample-requests.ts';
import { AUTH_SECRET, createTestApp, type Learner, type TestApp } from '../test/test-app.ts';

/** A reply that may be larger is a stream. */
const REPLY_MAX_BYTES = 256 * 1024;
/** Maximum time of one turn of the event loop, in milliseconds of processor time. */
const TURN_MAX_MS = 30;
/** The same for the first call of a route in the life of a process, which also compiles its code. */
const FIRST_TURN_MAX_MS = 100;
/** A longer turn is asked for again, so many times: processor time also counts work of the machine. */
const REPETITIONS = 5;
/** A reply that does not grow with the stored data. */
const SMALL_MAX_BYTES = 16 * 1024;

let app: TestApp;
let api: ChildProcess;
let url: string;
let at: Weighing;
let callers: Readonly<Record<Case['by'], Learner>>;

beforeAll(async () => {
  app = await createTestApp();
  const [one, host] = [await app.newLearner(), await app.newLearner()];
  const hostedId = await app.openHostedRoom(host, { needsApproval: true });
  callers = { learner: one, host, moderator: await newModerator(app, 'admin') };
  const { userId } = one;
  const roomId = await app.openRoom();
  await app.seat(one, roomId);
  const other = await app.newLearner();
  await app.seat(other, roomId);
  at = {
    userId,
    otherId: other.userId,
    moderatorId: callers.moderator.userId,
    roomId,
    hostedId,
    ...(await fillToLimits(app, { userId, roomId, hostedId })),
    groupId: await fillGroups(app, userId),
  };
  api = fork(path.join(import.meta.dirname, 'main.ts'), [], {
    execArgv: [
      '--expose-gc',
      '--import',
      path.join(import.meta.dirname, '../test/turn-watch-process.ts'),
    ],
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: databaseUrl(app.databaseName),
      AUTH_SECRET,
      RATE_LIMIT_SCALE: '1000',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [ready] = (await once(api, 'message')) as [{ url: string }];
  url = ready.url;
}, 120_000);

afterAll(async () => {
  if (api?.exitCode === null) {
    api.kill('SIGKILL');
    await once(api, 'exit');
  }
  await app?.close();
});

interface Weighed {
  readonly status: number;
  readonly bytes: number;
  /** The longest turn of the event loop during the call. */
  readonly turnMs: number;
}

async function ask(name: RouteName, request: AnyRequest, by: Learner): Promise<Weighed> {
  const { method, url: address, headers, payload } = await injection(name, request, by.headers);
  const isForm = payload instanceof Buffer;
  api.send('begin');
  const answer = await fetch(new URL(String(address), url), {
    method: String(method),
    headers: {
      ...(headers as Record<string, string>),
      ...(payload !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(payload !== undefined && {
      body: isForm ? new Uint8Array(payload) : JSON.stringify(payload),
    }),
  });
  const { byteLength: bytes } = await answer.arrayBuffer();
  const ended = once(api, 'message') as Promise<[{ longestMs: number }]>;
  api.send('end');
  const [{ longestMs }] = await ended;
  return { status: answer.status, bytes, turnMs: longestMs };
}

/**
 * Calls a route until its longest turn is short enough, at most REPETITIONS times, and returns the last call.
 * The turn of the first one is asserted here.
 */
async function untilShort(call: (repetition: number) => Promise<Weighed>): Promise<Weighed> {
  let weighed = await call(0);
  expect.soft(weighed.turnMs).toBeLessThanOrEqual(FIRST_TURN_MAX_MS);
  for (let n = 1; n < REPETITIONS && weighed.turnMs > TURN_MAX_MS; n += 1) weighed = await call(n);
  return weighed;
}

const weigh = (name: RouteName, { by, request, prepare }: Case) =>
  untilShort(async (repetition) => {
    await prepare?.(at).execute(app.database);
    return ask(name, request(at, repetition), callers[by]);
  });

const isListed = (name: RouteName) => name in growing || name in pictures || name in changing;
const others = (Object.keys(routes) as RouteName[]).filter((name) => !isListed(name));

/** A reply to a new learner in the full room, with one of everything. */
async function askAsNewLearner(name: RouteName): Promise<Weighed> {
  const { access } = routes[name] as RouteDefinition;
  const one = await app.newLearner();
  const isStaff = access === 'moderator' || access === 'admin';
  const { roomId, otherId } = at;
  if (!['enterRoom', 'openHostedRoom'].includes(name)) await app.seat(one, roomId);
  const { rows } = await sql<{ id: number }>`
    insert into sanction (user_id, kind, reason, imposed_at, ends_at, changed_at)
    values (${one.userId}, 'warn', 'rudeness', now(), now(), now()) returning id`.execute(
    app.database,
  );
  const sanctionId = rows[0]?.id ?? 0;
  const sessionId = String(decodeJwt(one.token).sid);
  const groupId = await app.openGroup(one);
  const named = { ...one, roomId, groupId, otherId, sanctionId, sessionId };
  const caller = isStaff ? callers.moderator : one;
  const cookie = access === 'open' ? { cookie: one.cookie } : {};
  const headers = { ...caller.headers, ...cookie };
  const weighed = await ask(name, await sampleRequest(name, named), { ...caller, headers });
  await app.leave(one);
  return weighed;
}

/** Whether a reply has a list or a record in it. */
function hasList(name: RouteName): boolean {
  const { reply } = routes[name] as RouteDefinition;
  const schema = JSON.stringify(z.toJSONSchema(reply, { unrepresentable: 'any' }));
  return /"type":"array"|"additionalProperties":\{"/u.test(schema);
}

it('each reply with a list is weighed at its limits, or known to be short', () => {
  expect(others.filter(hasList).sort()).toEqual([...shortLists].sort());
});

describe('at the limits of what is stored', () => {
  it.each(Object.entries(growing) as [RouteName, Case][])(
    '%s answers in bounds, and lets others have their turn',
    async (name, given) => {
      const { status, bytes, turnMs } = await weigh(name, given);
      expect(status).toBe(200);
      if (given.streamed === undefined) expect(bytes).toBeLessThanOrEqual(REPLY_MAX_BYTES);
      else expect(bytes).toBeGreaterThan(REPLY_MAX_BYTES);
      expect(turnMs).toBeLessThanOrEqual(TURN_MAX_MS);
    },
    120_000,
  );

  it.each(Object.entries(changing) as [RouteName, Case][])(
    '%s answers in bounds and in short turns',
    async (name, given) => {
      const { status, bytes, turnMs } = await weigh(name, given);
      expect.soft(status).toBe(200);
      expect.soft(bytes).toBeLessThanOrEqual(REPLY_MAX_BYTES);
      expect.soft(turnMs).toBeLessThanOrEqual(TURN_MAX_MS);
    },
  );

  it.each(Object.entries(pictures) as [RouteName, Case][])(
    '%s sends a picture of a megabyte in short turns',
    async (name, given) => {
      const { status, bytes, turnMs } = await weigh(name, given);
      expect([status, bytes]).toEqual([200, BOARD_IMAGE_MAX_BYTES]);
      expect(turnMs).toBeLessThanOrEqual(TURN_MAX_MS);
    },
  );

  it.each(others)('%s is small and takes short turns', async (name) => {
    const { status, bytes, turnMs } = await untilShort(() => askAsNewLearner(name));
    expect.soft(status < 300 ? 200 : status).toBe(rowOf(name).status ?? 200);
    expect.soft(bytes).toBeLessThanOrEqual(SMALL_MAX_BYTES);
    expect.soft(turnMs).toBeLessThanOrEqual(TURN_MAX_MS);
  });
});

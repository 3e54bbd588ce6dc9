import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  enterRoom,
  type GroupId,
  type GroupPlan,
  leaveRoom,
  login,
  openGroup,
  openHostedRoom,
  type Role,
  type RoomId,
  type RoomPlan,
  type RouteDefinition,
  signup,
  type TimerMove,
  type UserId,
} from '@mogakgong/contract';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { inject, type ProvidedContext } from 'vitest';
import { query } from '../../../test/admin-query.ts';
import { TEMPLATE_DATABASE } from '../../../test/global-setup.ts';
import { type App, createApp } from '../src/app.ts';
import { createAccessTokens } from '../src/features/auth/index.ts';
import { type Backplane, createInProcessBackplane } from '../src/platform/backplane/index.ts';
import type { Clock } from '../src/platform/clock/index.ts';
import { createDatabase, type PooledDatabase } from '../src/platform/database/index.ts';
import { type Env, readEnv } from '../src/platform/env/index.ts';
import { createLimits, type Limits } from '../src/platform/limits/index.ts';
import { createLogger } from '../src/platform/logger/index.ts';
import { emptyTables } from './empty-tables.ts';

export const AUTH_SECRET = 'a secret for tests that is long enough';
export const MEDIA_KEY = 'test-key';
export const MEDIA_SECRET = 'a media secret for tests, long enough';
export const PASSWORD = 'Blue-lamp-42';

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export interface TestAppOptions {
  readonly env?: Record<string, string>;
  /** The media server, where nothing answers unless it is given; null for none at all. */
  readonly mediaServer?: { readonly url?: string } | null;
  readonly webDir?: string;
  readonly backplane?: Backplane;
  readonly limits?: Limits;
  /** A server with the template database, instead of the one shared by all tests. */
  readonly postgres?: ProvidedContext['postgres'];
  /** Options of the connections to PostgreSQL. */
  readonly databaseOptions?: Partial<Parameters<typeof createDatabase>[0]>;
  /** Makes another process of the same site, with the same time at first: shares its database, which stays with it. */
  readonly besides?: TestApp;
}

export interface TestApp extends App {
  readonly env: Env;
  readonly database: PooledDatabase;
  readonly databaseName: string;
  readonly clock: TestClock;
  /** All SQL texts sent since the last `splice`. */
  readonly queries: string[];
  /** Every line of the log. */
  readonly logLines: string[];
  inject: App['http']['fastify']['inject'];
  /** Calls a route as a learner. */
  ask(
    route: Pick<RouteDefinition, 'method' | 'path'>,
    learner: Pick<Learner, 'headers'>,
    payload?: object,
  ): Promise<LightMyRequestResponse>;
  /** Listens on a free port. */
  listen(): Promise<void>;
  /** Signs up and logs in a new learner. */
  newLearner(headers?: Readonly<Record<string, string>>): Promise<Learner>;
  /** The same learner with a token that is valid at the clock's present time. */
  renew(learner: Learner): Promise<Learner>;
  /** Gives an account a role, as the operator does on the host. */
  grant(learner: Pick<Learner, 'userId'>, role: Role): Promise<void>;
  /** Seats a learner: in the given room, or in any with a free seat. */
  seat(learner: Learner, roomId?: RoomId): Promise<RoomId>;
  leave(learner: Learner): Promise<void>;
  /** An empty room of twenty seats. */
  openRoom(): Promise<RoomId>;
  /** A room with a host, not seated in it yet: everybody may enter, unless the plan says otherwise. */
  openHostedRoom(host: Learner, plan?: Partial<RoomPlan>): Promise<RoomId>;
  /** A study group with the learner as its leader: listed and free to enter, unless the plan says otherwise. */
  openGroup(leader: Learner, plan?: Partial<GroupPlan>): Promise<GroupId>;
  /** Stores a sign of life of a seated learner, as their connection would. */
  recordSeen(learner: Learner): Promise<void>;
  /** Moves the timer of a learner in their room. */
  move(learner: Learner, move: TimerMove, roomId: RoomId): Promise<LightMyRequestResponse>;
  /** Empties tables and those that refer to them, and restarts their ids at 1. */
  empty(...tables: readonly string[]): Promise<void>;
}

export interface Learner {
  readonly userId: UserId;
  readonly email: string;
  readonly nickname: string;
  readonly token: string;
  readonly headers: { readonly authorization: string };
  /** The cookie header that refreshes the log-in. */
  readonly cookie: string;
}

function createTestClock(start: Date): TestClock {
  let nowMs = start.getTime();
  return {
    now: () => new Date(nowMs),
    advance(ms) {
      nowMs += ms;
    },
  };
}

const UNREACHABLE_MEDIA = 'http://127.0.0.1:9';

/** A valid sign-up; each call returns the data of a new learner. */
export function signupPayload() {
  const unique = randomBytes(6).toString('hex');
  return {
    email: `${unique}@example.org`,
    password: PASSWORD,
    nickname: `n${unique}`,
    consents: { age: true, terms: true, privacy: true },
  };
}

/** The `name=value` of a Set-Cookie header, as a Cookie header sends it back. */
export function cookieOf(setCookie: string | string[] | undefined): string {
  return String(Array.isArray(setCookie) ? setCookie[0] : setCookie).split(';')[0] ?? '';
}

const testEnv = (folder: string, { mediaServer, besides, env }: TestAppOptions): Env =>
  readEnv({
    DATABASE_URL: 'postgresql://given.as.connection',
    AUTH_SECRET,
    IMAGES_DIR: path.join(folder, 'images'),
    BACKUP_TO: path.join(folder, 'backups'),
    MAIL_OUTBOX_DIR: path.join(folder, 'outbox'),
    RATE_LIMIT_SCALE: '1000',
    LIVEKIT_API_KEY: MEDIA_KEY,
    LIVEKIT_API_SECRET: MEDIA_SECRET,
    LIVEKIT_URL: besides
      ? (besides.env.LIVEKIT_URL?.join() ?? '')
      : mediaServer === null
        ? ''
        : (mediaServer?.url ?? UNREACHABLE_MEDIA),
    ...env,
  });

/** Copies files, a third of the work of copying page by page through the log. */
const copyOfTemplate = (name: string) =>
  `create database ${name} template ${TEMPLATE_DATABASE} strategy file_copy`;

/** The whole product on a separate database; `close` drops it. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const connection = options.postgres ?? inject('postgres');
  const name = options.besides?.databaseName ?? `test_${randomBytes(8).toString('hex')}`;
  if (!options.besides) await query(connection, copyOfTemplate(name));
  const logLines: string[] = [];
  const logger = createLogger('trace', { write: (line) => void logLines.push(line) });
  const queries: string[] = [];
  const database = createDatabase({
    logger,
    // Tests queue thousands of queries at once.
    acquireTimeoutMs: 60_000,
    onQuery: (text) => void queries.push(text),
    ...options.databaseOptions,
    connection: { ...(options.databaseOptions?.connection ?? connection), database: name },
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'mogakgong-app-'));
  const env = testEnv(folder, options);
  const clock = createTestClock(options.besides?.clock.now() ?? new Date());
  const checks = { isSessionEnded: () => false, isSuspended: () => false };
  const tokens = createAccessTokens({ authSecrets: env.AUTH_SECRET, clock, ...checks });
  const app = await createApp({
    env,
    logger,
    clock,
    database,
    backplane: options.backplane ?? createInProcessBackplane(),
    limits: options.limits ?? createLimits({ scale: env.RATE_LIMIT_SCALE }),
    metrics: null,
    authSecrets: env.AUTH_SECRET,
    webDir: options.webDir ?? folder,
  });
  const send = app.http.fastify.inject.bind(app.http.fastify) as TestApp['inject'];
  return {
    ...app,
    env,
    database,
    databaseName: name,
    clock,
    queries,
    logLines,
    inject: send,
    async listen() {
      await app.http.listen({ host: '127.0.0.1', port: 0 });
    },
    async renew(learner) {
      const token = await tokens.create({ userId: learner.userId, sessionId: randomUUID() });
      return { ...learner, token, headers: { authorization: `Bearer ${token}` } };
    },
    async grant({ userId }, role) {
      await sql`update users set role = ${role} where id = ${userId}`.execute(database);
    },
    ...learnerCalls(send),
    async openRoom() {
      const { rows } = await sql<{ id: RoomId }>`
        insert into study_room (capacity) values (20) returning id`.execute(database);
      return rows[0]?.id as RoomId;
    },
    async recordSeen({ userId }) {
      const seenAt = clock.now();
      await sql`update seat set last_seen_at = ${seenAt} where user_id = ${userId}`.execute(
        database,
      );
    },
    empty: (...tables) => emptyTables(database, tables),
    async close() {
      await app.close();
      await database.destroy();
      if (!options.besides) await query(connection, `drop database ${name} with (force)`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const anybodysRoom: RoomPlan = {
  name: 'TOEIC 900',
  goal: '',
  category: 'language',
  capacity: 8,
  isPublic: true,
  needsApproval: false,
  needsCamera: false,
};

const anybodysGroup: GroupPlan = {
  name: 'TOEIC 900',
  goal: '',
  category: 'language',
  examDay: null,
  rule: {
    kind: 'minutes',
    days: [1, 2, 3, 4, 5, 6, 7],
    minutes: 60,
    fromMinute: 0,
    untilMinute: 60,
  },
  weekGoalMinutes: null,
  isListed: true,
  needsApproval: false,
  hasRanks: false,
  timeZone: 'Asia/Seoul',
  dayStartMinutes: 0,
};

/** Common HTTP calls of learners in tests. */
function learnerCalls(
  send: TestApp['inject'],
): Pick<
  TestApp,
  'ask' | 'newLearner' | 'seat' | 'leave' | 'openHostedRoom' | 'openGroup' | 'move'
> {
  const ask: TestApp['ask'] = ({ method, path: url }, { headers }, payload) =>
    send({ method, url, headers, ...(payload && { payload }) });
  return {
    ask,
    newLearner: (headers) => newLearner(send, headers),
    async seat(learner, roomId) {
      const query = { userId: String(learner.userId), ...(roomId && { roomId: String(roomId) }) };
      const { method, path: url } = enterRoom;
      const answer = await send({ method, url, query, headers: learner.headers });
      return answer.json<{ roomId: RoomId }>().roomId;
    },
    async leave(learner) {
      const { method, path: url } = leaveRoom;
      await send({
        method,
        url,
        query: { userId: String(learner.userId) },
        headers: learner.headers,
      });
    },
    async openGroup(leader, plan) {
      const answer = await ask(openGroup, leader, { ...anybodysGroup, ...plan });
      return answer.json<{ groupId: GroupId }>().groupId;
    },
    async openHostedRoom(host, plan) {
      const answer = await ask(openHostedRoom, host, { ...anybodysRoom, ...plan });
      return answer.json<{ roomId: RoomId }>().roomId;
    },
    move: (learner, move, roomId) =>
      ask({ method: 'POST', path: `/api/timer/${move}` }, learner, {
        userId: learner.userId,
        roomId,
      }),
  };
}

async function newLearner(
  send: TestApp['inject'],
  headers: Readonly<Record<string, string>> = {},
): Promise<Learner> {
  const payload = signupPayload();
  const created = await send({ method: signup.method, url: signup.path, payload, headers });
  const { userId } = created.json<{ userId: UserId }>();
  const loggedIn = await send({ method: login.method, url: login.path, payload, headers });
  const { token } = loggedIn.json<{ token: string }>();
  return {
    userId,
    email: payload.email,
    nickname: payload.nickname,
    token,
    headers: { authorization: `Bearer ${token}` },
    cookie: cookieOf(loggedIn.headers['set-cookie']),
  };
}

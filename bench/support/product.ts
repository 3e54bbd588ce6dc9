import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RoomId, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { createAccessTokens } from '../../apps/api/src/features/auth/index.ts';
import { visitsOfSeats } from '../../apps/api/src/features/focus/index.ts';
import { systemClock } from '../../apps/api/src/platform/clock/index.ts';
import { createDatabase, migrate } from '../../apps/api/src/platform/database/index.ts';
import { createLogger } from '../../apps/api/src/platform/logger/index.ts';
import { API_ENTRY, API_NODE_OPTIONS } from '../../apps/stack/src/api-process.ts';
import { startPostgres } from '../../apps/stack/src/postgres-server/index.ts';
import { freePort } from '../../test/free-port.ts';

const logger = createLogger('warn');

/** A folder for one run, passable for the user who runs PostgreSQL when we are root. */
export async function makeRunDir(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mogakgong-bench-'));
  await chmod(folder, 0o711);
  return folder;
}

export function removeRunDir(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Runs it with a folder of its own, which is gone after it. */
export async function inRunDir<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await makeRunDir();
  try {
    return await work(folder);
  } finally {
    await removeRunDir(folder);
  }
}

export interface RunDatabase {
  /** As DATABASE_URL takes it. */
  readonly url: string;
  readonly postmasterPid: number;
  /** Rows of one statement on a connection of its own. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** An own PostgreSQL that syncs every commit to disk and counts its statements, with our schema. */
export async function startDatabase(runDir: string): Promise<RunDatabase> {
  const dataDir = path.join(runDir, 'database');
  await mkdir(dataDir, { mode: 0o711 });
  const first = await startPostgres({ dataDir, logger });
  const client = new pg.Client(first.superuser);
  await client.connect();
  await client.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await client.end();
  await first.stop();

  const postgres = await startPostgres({ dataDir, logger });
  const pool = new pg.Pool({ ...postgres.superuser, max: 1 });
  // Without a listener a connection that is lost while the server stops would end the run.
  pool.on('error', (error) => logger.debug({ err: error }, 'lost a database connection'));
  await pool.query('create extension pg_stat_statements');
  const schema = createDatabase({ connection: postgres.connection, logger });
  await migrate(schema);
  await schema.destroy();
  const pidFile = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  return {
    url: postgres.url,
    postmasterPid: Number.parseInt(pidFile, 10),
    query: async (text, values = []) => (await pool.query(text, [...values])).rows,
    stop: async () => {
      await pool.end();
      await postgres.stop();
    },
  };
}

/** Stops a database when what was to run on it could not be started. */
export async function orStop<Result>(
  database: RunDatabase,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

export interface Api {
  readonly port: number;
  /** The process that serves at the moment. */
  pid(): number;
  /** Ends it without any notice; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port; resolves when it serves. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface ApiOptions {
  readonly runDir: string;
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly execArgv?: readonly string[];
  /** Entry file; of this release unless another is given. */
  readonly entry?: string;
}

/** The real API, as `npm start` runs it, in a process of its own and without a media server. */
export async function startApi({
  runDir,
  name,
  env,
  execArgv = [],
  entry = API_ENTRY,
}: ApiOptions): Promise<Api> {
  const port = await freePort();
  const launch = async (): Promise<ChildProcess> => {
    const child = fork(entry, [], {
      execArgv: [...API_NODE_OPTIONS, ...execArgv],
      cwd: runDir,
      env: {
        PATH: process.env.PATH ?? '',
        HOST: '127.0.0.1',
        PORT: String(port),
        // Nobody answers there.
        LIVEKIT_URL: 'ws://127.0.0.1:9',
        LIVEKIT_API_KEY: 'none',
        LIVEKIT_API_SECRET: 'none',
        LOG_LEVEL: 'error',
        ...env,
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the API ${name} did not start`);
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return child;
  };
  let child = await launch();
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return {
    port,
    pid: () => child.pid ?? 0,
    kill: () => end('SIGKILL'),
    async restart() {
      child = await launch();
    },
    stop: () => end('SIGTERM'),
  };
}

/** Somebody who sits in a room. */
export interface SeatedLearner {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly token: string;
}

/** Signs access tokens as the API with the same AUTH_SECRET does. */
export function createTokenMaker(secret: string): (userId: UserId) => Promise<string> {
  const tokens = createAccessTokens({
    authSecrets: [secret],
    clock: systemClock,
    isSessionEnded: () => false,
    isSuspended: () => false,
  });
  return (userId) => tokens.create({ userId, sessionId: randomUUID() });
}

export const newSecret = () => randomBytes(24).toString('hex');

interface SeatingOptions {
  readonly rooms: number;
  readonly members: number;
  readonly secret: string;
  /** What their nicknames begin with; another one at each call on the same database. */
  readonly name?: string;
}

/** Learners who sit in full rooms and focus, written straight into the database. */
export async function seatLearners(
  databaseUrl: string,
  { rooms, members, secret, name = 'learner' }: SeatingOptions,
): Promise<SeatedLearner[]> {
  const database = createDatabase({ connection: { connectionString: databaseUrl }, logger });
  const { rows } = await sql<{ userId: UserId; roomId: RoomId }>`
    with learner as (
      insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
      select ${name}::text || n || '@example.org', ${name}::text || n, '', '', 'default.jpg', 'LOCAL'
      from generate_series(1, ${rooms * members}::integer) as n
      returning id
    ), room as (
      insert into study_room (capacity, occupancy)
      select ${members}::integer, ${members}::integer from generate_series(1, ${rooms}::integer)
      returning id
    ), numbered_learner as (select id, row_number() over (order by id) - 1 as place from learner),
    numbered_room as (select id, row_number() over (order by id) - 1 as place from room),
    seated as (
      insert into seat (user_id, room_id, entered_at, last_seen_at)
      -- In milliseconds, as the server writes times: a silence would begin before such a visit otherwise.
      select numbered_learner.id, numbered_room.id, at, at
      from (select date_trunc('milliseconds', now()) as at), numbered_learner join numbered_room
        on numbered_room.place = numbered_learner.place / ${members}::integer
      returning user_id, room_id, entered_at
    ),
    ${visitsOfSeats.begin(sql`seated`)}
    select user_id as "userId", room_id as "roomId" from seated`.execute(database);
  // Only what was filled: an empty table that was analysed counts as one that stays empty.
  await sql`analyze users, study_room, seat, study_record, visit`.execute(database);
  await database.destroy();
  const makeToken = createTokenMaker(secret);
  const seated = rows.toSorted((a, b) => a.userId - b.userId);
  return Promise.all(seated.map(async (row) => ({ ...row, token: await makeToken(row.userId) })));
}

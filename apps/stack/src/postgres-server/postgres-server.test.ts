import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { query } from '../../../../test/admin-query.ts';
import { makeDataDir, removeDataDir } from '../../../../test/data-dir.ts';
import { createLogger } from '../logger.ts';
import { type PostgresOptions, type PostgresServer, startPostgres } from './index.ts';

const logger = createLogger('silent');
const isRoot = process.getuid?.() === 0;
const START = new URL('./index.ts', import.meta.url).href;

/** Has a cluster that was started and stopped: making one for each test takes a second of the processor. */
let usedDir: string;
let folder: string;
/** A copy of it, unless a test takes another place. */
let dataDir: string;
let servers: PostgresServer[] = [];

beforeAll(async () => {
  usedDir = await makeDataDir();
  await (await startPostgres({ dataDir: usedDir, logger, durable: false })).stop();
});

afterAll(() => removeDataDir(usedDir));

beforeEach(async () => {
  folder = await makeDataDir();
  dataDir = path.join(folder, 'used');
  spawnSync('cp', ['-a', usedDir, dataDir]);
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
  await removeDataDir(folder);
});

async function start(options: Partial<PostgresOptions> = {}): Promise<PostgresServer> {
  const server = await startPostgres({ dataDir, logger, durable: false, ...options });
  servers.push(server);
  return server;
}

async function value(server: PostgresServer, text: string): Promise<unknown> {
  const { rows } = await query(server.connection, text);
  return Object.values(rows[0] as object)[0];
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
}

/** Takes several attempts while workers of the killed server still live. */
async function untilRestarted(server: PostgresServer): Promise<void> {
  await vi.waitFor(
    () => {
      expect(server.state().restarts).toBeGreaterThanOrEqual(1);
      expect(server.state().status).toBe('running');
    },
    { timeout: 20_000 },
  );
}

/** A separate process that runs the database, creates a table with one row, and is then killed. */
async function startAndKill(): Promise<void> {
  const script = `
    import { startPostgres } from '${START}';
    import { pino } from 'pino';
    import pg from 'pg';
    const server = await startPostgres({ dataDir: process.argv[1], logger: pino({ level: 'silent' }), durable: false });
    const client = new pg.Client(server.connection);
    await client.connect();
    await client.query('create table kept as select 42 as answer');
    console.log('committed');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, dataDir], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('a new cluster is UTF-8, sorts the same everywhere, keeps checksums and syncs to disk', async () => {
  dataDir = path.join(folder, 'new');
  const server = await start({ durable: true });
  expect(await value(server, 'show server_encoding')).toBe('UTF8');
  expect(await value(server, 'show data_checksums')).toBe('on');
  expect(await value(server, 'show fsync')).toBe('on');
  const locale = `select concat(datlocprovider, ' ', datlocale) from pg_database where datname = 'mogakgong'`;
  expect(await value(server, locale)).toBe('b C.UTF-8');
});

test('nobody reaches it but through a socket in a private folder', async () => {
  const server = await start();
  expect(await value(server, 'show listen_addresses')).toBe('');
  expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(dataDir, 'postgres.log'))).mode & 0o777).toBe(0o600);
  const overTcp = query({ ...server.connection, host: '127.0.0.1' }, 'select 1');
  await expect(overTcp).rejects.toThrow();
});

test('a process without the password is refused; the API is no superuser and owns its database', async () => {
  const server = await start();
  for (const { user, password: _, ...stranger } of [server.connection, server.superuser]) {
    await expect(query({ ...stranger, user, password: 'guessed' }, 'select 1')).rejects.toThrow(
      /password authentication failed/,
    );
  }
  expect(await value(server, `select current_setting('is_superuser')`)).toBe('off');
  await expect(query(server.connection, 'create role intruder')).rejects.toThrow(
    /permission denied/,
  );
  await expect(query(server.connection, `copy (select 1) to program 'id'`)).rejects.toThrow(
    /permission denied/,
  );
  for (const name of ['postgres-password', 'postgres-superuser-password']) {
    expect((await stat(path.join(dataDir, name))).mode & 0o777).toBe(0o600);
  }
});

test.runIf(isRoot)('a process of the user nobody cannot reach the socket', async () => {
  const server = await start();
  const socket = path.join(server.connection.host, `.s.PGSQL.${server.connection.port}`);
  const script = `require('node:net').connect(process.argv[1])
    .on('connect', () => { console.log('connected'); process.exit(); })
    .on('error', (error) => console.log(error.code));`;
  const nobody = spawn(process.execPath, ['--eval', script, socket], {
    cwd: '/',
    uid: 65_534,
    gid: 65_534,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(nobody.stdout, 'data');
  expect(String(said).trim()).toBe('EACCES');
});

test('a cluster that trusted every process is closed on start, with everything that is in it', async () => {
  const first = await start();
  const { superuser } = first;
  // As an earlier version left it: one superuser without a password that owns everything.
  await query(first.connection, 'create table kept as select 42 as answer');
  await query(superuser, 'create sequence kept_number; alter table kept owner to mogakgong');
  await query(superuser, 'alter database mogakgong owner to mogakgong');
  await query(superuser, 'drop owned by mogakgong_api; drop role mogakgong_api');
  await query(superuser, 'alter role mogakgong password null');
  await first.stop();
  await writeFile(path.join(dataDir, 'postgres/pg_hba.conf'), 'local all all trust\n');
  await rm(path.join(dataDir, 'postgres-password'));
  await rm(path.join(dataDir, 'postgres-superuser-password'));

  const second = await start();
  expect(await value(second, 'select answer from kept')).toBe(42);
  expect(await value(second, `select nextval('kept_number')`)).toBe('1');
  await query(second.connection, 'alter table kept add column more text');
  const stranger = { ...second.superuser, password: '' };
  await expect(query(stranger, 'select 1')).rejects.toThrow();
  await second.stop();
  expect(await value(await start(), 'select answer from kept')).toBe(42);
});

test('a password that was lost is said in one line', async () => {
  await (await start()).stop();
  await rm(path.join(dataDir, 'postgres-superuser-password'));
  await expect(start()).rejects.toThrow(/password authentication failed for user "mogakgong"/);
});

test('what was written is there after a stop and a start, and stopping twice does no harm', async () => {
  const first = await start();
  await query(first.connection, 'create table kept as select 42 as answer');
  await Promise.all([first.stop(), first.stop()]);
  expect(first.state().status).toBe('stopped');
  const second = await start();
  expect(await value(second, 'select answer from kept')).toBe(42);
});

test('the server that a killed run left behind is taken over with everything that was committed', async () => {
  await startAndKill();
  const leftOver = await postmasterPid();
  const server = await start();
  expect(await postmasterPid()).toBe(leftOver);
  expect(await value(server, 'select answer from kept')).toBe(42);

  // It is not our child, but is supervised as well.
  process.kill(leftOver, 'SIGKILL');
  await untilRestarted(server);
  expect(await postmasterPid()).not.toBe(leftOver);
  expect(await value(server, 'select answer from kept')).toBe(42);
});

test('a start right after everything was killed works, with everything that was committed', async () => {
  await startAndKill();
  process.kill(await postmasterPid(), 'SIGKILL');
  const server = await start();
  expect(await value(server, 'select answer from kept')).toBe(42);
});

test('a left-over server with other settings is not taken over but started again', async () => {
  await startAndKill();
  const leftOver = await postmasterPid();
  const server = await start({ durable: true });
  expect(await postmasterPid()).not.toBe(leftOver);
  expect(await value(server, 'show fsync')).toBe('on');
  expect(await value(server, 'select answer from kept')).toBe(42);
});

test('a database server that is killed comes back with everything that was committed', async () => {
  const server = await start();
  await query(server.connection, 'create table kept as select 42 as answer');
  process.kill(await postmasterPid(), 'SIGKILL');
  await untilRestarted(server);
  expect(await value(server, 'select answer from kept')).toBe(42);
});

test('a stop does not wait for open connections', async () => {
  const server = await start();
  const idle = new pg.Client(server.connection);
  const cut = new Promise((resolve) => idle.on('error', resolve));
  await idle.connect();
  await server.stop();
  expect(String(await cut)).toMatch(/terminat/);
});

test('a process id of PostgreSQL’s that belongs to another program now is no hindrance', async () => {
  await (await start()).stop();
  const file = path.join(dataDir, 'postgres/postmaster.pid');
  await writeFile(file, `${process.pid}\n${dataDir}/postgres\n1\n5432\n${dataDir}/postgres\n\n`);
  const server = await start();
  expect(await value(server, 'select 1')).toBe(1);
});

test('data of another major version is refused with what to do', async () => {
  await (await start()).stop();
  await writeFile(path.join(dataDir, 'postgres/PG_VERSION'), '17\n');
  await expect(start()).rejects.toThrow(
    /of PostgreSQL 17, this version brings PostgreSQL 18.*restore/,
  );
});

test('a folder that is no cluster is never written into', async () => {
  dataDir = path.join(folder, 'new');
  await mkdir(path.join(dataDir, 'postgres'), { recursive: true });
  await writeFile(path.join(dataDir, 'postgres/thesis.txt'), 'mine');
  await expect(start()).rejects.toThrow(/is no PostgreSQL data folder/);
  expect(await readdir(path.join(dataDir, 'postgres'))).toEqual(['thesis.txt']);
});

test('what an interrupted first start left is cleared away', async () => {
  dataDir = path.join(folder, 'new');
  await mkdir(path.join(dataDir, 'postgres.initializing-1'), { recursive: true });
  await start();
  expect((await readdir(dataDir)).filter((name) => name.includes('initializing'))).toEqual([]);
});

test('a path too long for a socket is no hindrance', async () => {
  dataDir = path.join(folder, 'x'.repeat(120));
  const server = await start();
  expect(Buffer.byteLength(server.connection.host)).toBeLessThan(90);
  expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700);
  expect(await value(server, 'select 1')).toBe(1);
  await server.stop();
  await rm(server.connection.host, { recursive: true });
});

test.runIf(isRoot)(
  'as root, PostgreSQL runs as somebody else, also when DATA_DIR is private',
  async () => {
    const hidden = await mkdtemp(path.join(tmpdir(), 'mogakgong-private-'));
    await chmod(hidden, 0o700);
    dataDir = path.join(hidden, 'data');
    const first = await start();
    const place = await realpath(path.join(dataDir, 'postgres'));
    expect((await lstat(path.join(dataDir, 'postgres'))).isSymbolicLink()).toBe(true);
    expect([0, 65_534]).not.toContain((await stat(place)).uid);
    await query(first.connection, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await start();
    expect(await value(second, 'select answer from kept')).toBe(42);
    await second.stop();
    await rm(place, { recursive: true });
    await removeDataDir(hidden);
  },
);

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REALTIME_PATH } from '@mogakgong/contract';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { query } from '../../../test/admin-query.ts';
import { freePort } from '../../../test/free-port.ts';
import { TEMPLATE_DATABASE } from '../../../test/global-setup.ts';
import { databaseUrl } from '../test/backups.ts';
import { AUTH_SECRET, signupPayload } from '../test/test-app.ts';

const ENDS_WITHIN_MS = 10_000;
/** Eight seconds on a quiet computer. */
const GIVES_WAY_WITHIN_MS = 25_000;
/** Open files of the process: half of those beyond 100 are for clients. */
const OPEN_FILES = 400;
const CLIENTS = 150;

let database: string;
let api: ChildProcess;
let url: string;
let backups: string;

/** A real process of the API on a database of its own. */
beforeEach(async () => {
  backups = await mkdtemp(path.join(tmpdir(), 'mogakgong-backups-'));
  database = `test_${randomBytes(8).toString('hex')}`;
  await query(inject('postgres'), `create database ${database} template ${TEMPLATE_DATABASE}`);
  const started = startApi({ PORT: '0' });
  api = started.child;
  url = (await started.ready).url;
});

afterEach(async () => {
  if (api.exitCode === null && api.signalCode === null) {
    api.kill('SIGKILL');
    await once(api, 'exit');
  }
  await query(inject('postgres'), `drop database ${database} with (force)`);
  await rm(backups, { recursive: true, force: true });
});

/** A real process of the API on the database of the test. */
function startApi(env: { readonly PORT: string }) {
  const command = [process.execPath, path.join(import.meta.dirname, 'main.ts')];
  const child = spawn('sh', ['-c', `ulimit -n ${OPEN_FILES} && exec "$0" "$@"`, ...command], {
    env: {
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl(database),
      AUTH_SECRET,
      RATE_LIMIT_SCALE: '1000',
      BACKUP_TO: backups,
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ready = once(child, 'message').then(([message]) => message as { url: string });
  return { child, ready };
}

function post(route: string, body: unknown): Promise<Response> {
  return fetch(new URL(route, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** A log-in with a body in two parts; resolves when the server has begun to read it. */
async function beginLogin(payload: unknown) {
  const body = JSON.stringify(payload);
  const request = httpRequest(new URL('/api/auth/login', url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  request.flushHeaders();
  await once(request, 'continue');
  return { request, body, answered: once(request, 'response') as Promise<[IncomingMessage]> };
}

async function isListening(): Promise<boolean> {
  return fetch(new URL('/livez', url)).then(
    () => true,
    () => false,
  );
}

test('a process that brings the schema up to date is alive, and not ready', async () => {
  const connection = { ...inject('postgres'), database };
  const step = '003-breaking-steps';
  await query(
    connection,
    `delete from kysely_migration where name = '${step}'; drop table breaking_step`,
  );
  const blocker = new pg.Client(connection);
  await blocker.connect();
  // The step waits for this table to be made or not.
  await blocker.query('begin; create table breaking_step (name text)');
  const port = await freePort();
  const started = startApi({ PORT: String(port) });
  const ask = async (probe: string) => (await fetch(`http://127.0.0.1:${port}${probe}`)).status;
  try {
    await vi.waitFor(async () => {
      expect([await ask('/livez'), await ask('/readyz'), await ask('/api/user')]).toEqual([
        200, 503, 503,
      ]);
    }, 10_000);
    await blocker.query('rollback');
    await started.ready;
    expect([await ask('/livez'), await ask('/readyz')]).toEqual([200, 200]);
    expect(await readdir(backups)).toEqual([expect.stringContaining('before-upgrade-')]);
  } finally {
    await blocker.end();
    started.child.kill('SIGKILL');
    await once(started.child, 'exit');
  }
}, 60_000);

test('a password is kept with the cost that OWASP recommends for Argon2id', async () => {
  await post('/api/auth/signup', signupPayload());
  const { rows } = await query(
    { ...inject('postgres'), database },
    'select password_hash from users',
  );
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u);
});

test('strangers with the maximum number of connections leave files for health and newcomers', async () => {
  const { port } = new URL(url);
  const strangers = Array.from({ length: 2 * OPEN_FILES }, (_, at) =>
    connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.9.${at % 42}.1` }).on(
      'error',
      () => undefined,
    ),
  );
  try {
    await vi.waitFor(() => expect(strangers.filter(({ closed }) => closed)).not.toEqual([]));
    for (const probe of ['/livez', '/readyz', '/livez', '/readyz']) {
      expect((await fetch(new URL(probe, url))).status).toBe(200);
    }
    await vi.waitFor(async () => {
      const { checks } = (await (await fetch(new URL('/readyz', url))).json()) as {
        checks: { connections: { open: number; closed: number } };
      };
      expect(checks.connections).toMatchObject({ state: 'up', most: CLIENTS, refused: 0 });
      expect(checks.connections.open).toBeLessThanOrEqual(CLIENTS);
      expect(checks.connections.closed).toBeGreaterThanOrEqual(2 * OPEN_FILES - CLIENTS);
    });
  } finally {
    for (const stranger of strangers) stranger.destroy();
  }
});

test('strangers who pipeline requests for a file and read nothing hold no files', async () => {
  const { port } = new URL(url);
  const strangers = Array.from({ length: CLIENTS - 10 }, () =>
    connect({ port: Number(port), host: '127.0.0.1' }).on('error', () => undefined),
  );
  const file = '/api/docs/static/swagger-ui-bundle.js';
  const ask = `GET ${file} HTTP/1.1\r\nHost: x\r\n\r\n`;
  try {
    for (const [at, stranger] of strangers.entries()) {
      stranger.pause().write(ask.repeat(at % 2 === 0 ? 10 : 1_000));
    }
    await vi.waitFor(async () => {
      const { checks } = (await (await fetch(new URL('/readyz', url))).json()) as {
        checks: { connections: { open: number } };
      };
      expect(checks.connections.open).toBeLessThan(strangers.length / 2 + 10);
    }, GIVES_WAY_WITHIN_MS);
    for (const probe of ['/livez', '/readyz', file, '/livez']) {
      expect((await fetch(new URL(probe, url))).status).toBe(200);
    }
  } finally {
    for (const stranger of strangers) stranger.destroy();
  }
});

test('after SIGTERM every log-in under way is answered, nothing new is taken, and the process ends', async () => {
  const account = signupPayload();
  await post('/api/auth/signup', account);
  const slow = await beginLogin(account);
  const underWay = Array.from({ length: 8 }, () => post('/api/auth/login', account));
  await Promise.race(underWay);

  const signalledAtMs = performance.now();
  api.kill('SIGTERM');
  const ended = once(api, 'exit');
  const statuses = (await Promise.all(underWay)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  await vi.waitFor(async () => expect(await isListening()).toBe(false));
  slow.request.end(slow.body);
  const [answer] = await slow.answered;
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
  answer.resume();
  expect(await ended).toEqual([0, null]);
  expect(performance.now() - signalledAtMs).toBeLessThan(ENDS_WITHIN_MS);
});

test('72 log-ins that wait for their turn at SIGTERM are answered or given up within ten seconds', async () => {
  const account = signupPayload();
  await post('/api/auth/signup', account);
  const underWay = Array.from({ length: 72 }, () => post('/api/auth/login', account));
  await Promise.race(underWay);
  const signalledAtMs = performance.now();
  const ended = once(api, 'exit');
  api.kill('SIGTERM');
  const outcomes = await Promise.allSettled(underWay);
  await ended;
  expect(performance.now() - signalledAtMs).toBeLessThan(ENDS_WITHIN_MS);
  const statuses = outcomes.flatMap((each) =>
    each.status === 'fulfilled' ? [each.value.status] : [],
  );
  expect(statuses).toContain(200);
  // On a slow computer the last ones wait for longer than a password may (`passwordWork.waitMaxMs`).
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
});

test('a WebSocket is closed with "service restart", and a request that never ends does not hold the process', async () => {
  const socket = new WebSocket(new URL(REALTIME_PATH, url.replace('http', 'ws')), 'v12.stomp');
  await once(socket, 'open');
  const stuck = await beginLogin(signupPayload());
  stuck.request.on('error', () => undefined);
  stuck.answered.catch(() => undefined);
  const closed = once(socket, 'close');
  const signalledAtMs = performance.now();
  api.kill('SIGTERM');
  const [code] = await closed;
  expect(code).toBe(1012);
  expect(await once(api, 'exit')).toEqual([0, null]);
  expect(performance.now() - signalledAtMs).toBeLessThan(ENDS_WITHIN_MS);
});

test('a second signal ends the process at once', async () => {
  const stuck = await beginLogin(signupPayload());
  stuck.request.on('error', () => undefined);
  stuck.answered.catch(() => undefined);
  const ended = once(api, 'exit');
  api.kill('SIGTERM');
  await vi.waitFor(async () => expect(await isListening()).toBe(false));
  const askedAgainAtMs = performance.now();
  api.kill('SIGTERM');
  expect(await ended).toEqual([1, null]);
  expect(performance.now() - askedAgainAtMs).toBeLessThan(1_000);
});

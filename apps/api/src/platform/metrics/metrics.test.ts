import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { destinations, type RoomId, requestPasswordReset, uploadImage } from '@mogakgong/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { freePort } from '../../../../../test/free-port.ts';
import { databaseUrl } from '../../../test/backups.ts';
import { formOf } from '../../../test/form.ts';
import { newJpeg } from '../../../test/pictures.ts';
import { TestClient } from '../../../test/stomp-client.ts';
import {
  AUTH_SECRET,
  createTestApp,
  type Learner,
  MEDIA_KEY,
  MEDIA_SECRET,
  type TestApp,
} from '../../../test/test-app.ts';

const root = path.resolve(import.meta.dirname, '../../../../..');
const MAIN = path.join(root, 'apps/api/src/main.ts');

/** Makes the database and the learner; requests go to the process. */
let app: TestApp;
let learner: Learner;
let roomId: RoomId;
let api: ChildProcess;
let port: number;
let metricsPort: number;

beforeAll(async () => {
  app = await createTestApp();
  learner = await app.newLearner();
  roomId = await app.seat(learner);
  await sql`
    insert into report_case (reported_id, opened_at, last_report_at)
    values (${learner.userId}, now() - interval '1 hour', now())`.execute(app.database);
  [port, metricsPort] = [await freePort(), await freePort()];
  api = startApi(port, metricsPort);
  await once(api, 'message');
});
beforeAll(scrapeWithoutDatabase);
beforeAll(useEverything);

afterAll(async () => {
  api.kill('SIGKILL');
  if (api.exitCode === null) await once(api, 'exit');
  await app.close();
});

function startApi(ownPort: number, ownMetricsPort: number): ChildProcess {
  return spawn(process.execPath, [MAIN], {
    env: {
      HOST: '127.0.0.1',
      PORT: String(ownPort),
      METRICS_PORT: String(ownMetricsPort),
      DATABASE_URL: databaseUrl(app.databaseName),
      AUTH_SECRET,
      LIVEKIT_URL: 'ws://127.0.0.1:9',
      LIVEKIT_API_KEY: MEDIA_KEY,
      LIVEKIT_API_SECRET: MEDIA_SECRET,
      IMAGES_DIR: app.env.IMAGES_DIR,
      MAIL_OUTBOX_DIR: app.env.MAIL_OUTBOX_DIR,
      RATE_LIMIT_SCALE: '1000',
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

const call = (route: string, options: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${route}`, options);

async function scrape(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  return answer.text();
}

/** The value of one sample, given as it is served; undefined without it. */
function readSample(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}

/** Each served metric as `name type labels`; without labels where there is no sample. */
function served(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => {
    const samples = text.matchAll(new RegExp(`^${name}(?:_bucket)?\\{(.*)\\} `, 'gm'));
    const labels = [...samples].flatMap(([, list = '']) =>
      [...list.matchAll(/(\w+)="/g)].map(([, label]) => label),
    );
    const own = [...new Set(labels)].filter((label) => label !== 'le').sort();
    return [name, type, ...own].join(' ');
  });
}

/** The same, as the table of docs/operating/metrics.md has them. */
function documented(): string[] {
  const lines = readFileSync(path.join(root, 'docs/operating/metrics.md'), 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, name = '', type = '', labels = ''] = line.split('|').map((cell) => cell.trim());
      const own = [...labels.matchAll(/\w+/g)].map(([label]) => label).sort();
      return [name.replaceAll('`', ''), type, ...own].join(' ');
    });
}

async function sendChat(): Promise<void> {
  const address = () => ({ port });
  const target = { http: { fastify: { server: { address } } } } as unknown as TestApp;
  const client = new TestClient(target, {
    token: learner.token,
    headers: { Authorization: `Bearer ${learner.token}` },
  });
  await client.connect();
  await client.subscribe(destinations.messages);
  const payload = { senderId: learner.userId, roomId, content: 'hello' };
  expect(await client.send(destinations.sendChat, payload)).toBeDefined();
  await client.close();
}

/** Scrapes of a process while its first figures of the site wait for a lock. */
let whileLocked: { readonly text: string; readonly tookMs: number };

async function scrapeWithoutDatabase(): Promise<void> {
  const blocker = new pg.Client({ ...inject('postgres'), database: app.databaseName });
  await blocker.connect();
  await blocker.query('begin; lock table study_room in access exclusive mode');
  try {
    await vi.waitFor(async () => {
      const startMs = performance.now();
      const text = await scrape();
      whileLocked = { text, tookMs: performance.now() - startMs };
      expect(readSample(text, 'mogakgong_site_lease_held')).toBe(1);
    });
  } finally {
    await blocker.end();
  }
}

/** Everything that makes a sample. */
async function useEverything(): Promise<void> {
  await call('/api/user', { headers: learner.headers });
  await sendChat();
  const { payload, headers } = await formOf([{ bytes: await newJpeg() }]);
  const uploaded = await call(uploadImage.path, {
    method: uploadImage.method,
    headers: { ...learner.headers, ...headers },
    body: new Uint8Array(payload),
  });
  expect(uploaded.status).toBe(200);
  await call(requestPasswordReset.path, {
    method: requestPasswordReset.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: learner.email }),
  });
  await vi.waitFor(async () => {
    const text = await scrape();
    expect(readSample(text, 'mogakgong_seats_taken')).toBe(1);
    expect(text).toContain('mogakgong_job_duration_seconds{job_name="lease"}');
    expect(text).toContain('mogakgong_media_server_up{server=');
    expect(readSample(text, 'mogakgong_mails_total{outcome="kept"}')).toBe(1);
    expect(text).toContain('nodejs_gc_duration_seconds_count{');
  });
}

test.runIf(process.platform === 'linux')(
  'docs/operating/metrics.md names every metric that is served, its type and labels, and no others',
  async () => {
    expect(served(await scrape()).sort()).toEqual(documented().sort());
  },
);

test('a message, an upload, a mail and a seat are counted', async () => {
  const text = await scrape();
  const value = (sample: string) => readSample(text, sample);
  for (const seconds of ['commit_seconds', 'delivery_seconds', 'commit_messages']) {
    expect(value(`mogakgong_chat_${seconds}_count`)).toBeGreaterThan(0);
  }
  expect(value('mogakgong_uploads_total{outcome="encoded"}')).toBeGreaterThan(0);
  expect(value('mogakgong_uploads_total{outcome="failed"}')).toBe(0);
  expect(value('mogakgong_rooms_occupied')).toBe(1);
  expect(value('mogakgong_cases_open')).toBe(1);
  expect(value('mogakgong_case_oldest_seconds')).toBeGreaterThanOrEqual(3_600);
  expect(value('mogakgong_case_oldest_seconds')).toBeLessThan(4_000);
  expect(value('mogakgong_site_lease_held')).toBe(1);
  expect(value('mogakgong_database_up')).toBe(1);
  expect(value('mogakgong_backplane_whole')).toBe(1);
  expect(value('mogakgong_realtime_frames_received_total')).toBeGreaterThan(3);
  expect(value('mogakgong_realtime_ends_total{reason="disconnected"}')).toBeGreaterThan(0);
  expect(value('mogakgong_realtime_ends_total{reason="failed"}')).toBe(0);
});

test('requests are counted by the pattern of their route: no path of a client is a label', async () => {
  await call('/api/study-rooms/4711/entry', { headers: learner.headers });
  await call('/secret-path-4711');
  await call('/livez');
  await call('/api/secret-4711', { method: 'PROPFIND' });
  const text = await scrape();
  expect(text).not.toContain('4711');
  expect(text).not.toContain('PROPFIND');
  expect(text).toContain('method="GET",route="other",status="2xx"');
});

test('a scrape leaves out the figures of the site while the database is stuck, after a second', () => {
  const { text, tookMs } = whileLocked;
  expect(readSample(text, 'mogakgong_seats_taken')).toBeUndefined();
  expect(readSample(text, 'mogakgong_connections_limit')).toBeGreaterThan(0);
  expect(tookMs).toBeLessThan(5_000);
});

test('anything but GET /metrics is not found there', async () => {
  const url = `http://127.0.0.1:${metricsPort}`;
  expect((await fetch(`${url}/`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
});

test('a taken METRICS_PORT is named', async () => {
  const second = startApi(await freePort(), metricsPort);
  let output = '';
  second.stderr?.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  expect((await once(second, 'exit'))[0]).toBe(1);
  expect(output).toContain(`Port ${metricsPort} is taken`);
  expect(output).toContain(`METRICS_PORT=${metricsPort + 1}`);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { getProfile } from '@mogakgong/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../../../../test/free-port.ts';
import { databaseUrl } from '../../../test/backups.ts';
import { AUTH_SECRET, createTestApp, type Learner, type TestApp } from '../../../test/test-app.ts';

const MAIN = path.join(import.meta.dirname, '../../main.ts');
/** Of a proxy in front: its trace goes on with ours. */
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

interface Attribute {
  readonly key: string;
  readonly value: object;
}
interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly Attribute[];
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const received: Export[] = [];
let collector: Server;
let app: TestApp;
let learner: Learner;
let api: ChildProcess;
let port: number;
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    received.push((await json(request)) as Export);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  app = await createTestApp();
  learner = await app.newLearner();
  port = await freePort();
  api = spawn(process.execPath, [MAIN], {
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: databaseUrl(app.databaseName),
      AUTH_SECRET,
      BACKUP_TO: app.env.BACKUP_TO,
      LOG_LEVEL: 'error',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      OTEL_SERVICE_NAME: 'study room',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(api, 'message');
});
afterAll(async () => {
  api.kill('SIGKILL');
  if (api.exitCode === null) await once(api, 'exit');
  collector.close();
  await app.close();
});

const spans = () =>
  received.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );

test('a request is a span below that of the proxy, its statements are below it, and no learner is in them', async () => {
  const headers = { ...learner.headers, traceparent: `00-${TRACE}-${PARENT}-01` };
  const answer = await fetch(`http://127.0.0.1:${port}${getProfile.path}?secret=of-a-link`, {
    headers,
  });
  expect(answer.status).toBe(200);
  const find = () => spans().find(({ name }) => name === `GET ${getProfile.path}`);
  await vi.waitFor(() => expect(find()).toBeDefined(), { timeout: 10_000 });
  const request = find();
  expect(request).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  const statements = spans().filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.map(({ name }) => name)).toContain('select');
  const sent = JSON.stringify(received);
  for (const secret of [learner.email, learner.nickname, learner.token, 'of-a-link', '127.0.0.1']) {
    expect(sent).not.toContain(secret);
  }
});

test('jobs are traces of their own, named by the variable of the standard', async () => {
  const isJob = ({ name, parentSpanId }: Span) => name === 'job' && !parentSpanId;
  await vi.waitFor(() => expect(spans().some(isJob)).toBe(true), { timeout: 10_000 });
  const [{ resourceSpans } = { resourceSpans: [] }] = received;
  expect(resourceSpans[0]?.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'study room' },
  });
});

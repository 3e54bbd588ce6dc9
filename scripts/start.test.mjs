import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { whyInstall } from './stack/install.mjs';
import { root } from './stack/places.mjs';

const READY_TIMEOUT_MS = 30_000;

let folder;
let started;

beforeAll(async () => {
  // A start would install the dependencies under the feet of this very run.
  expect(await whyInstall(root)).toBeUndefined();
});

beforeEach(async () => {
  started = [];
  folder = await mkdtemp(join(tmpdir(), 'mogakgong-start-'));
  await chmod(folder, 0o711);
});

afterEach(async () => {
  for (const run of started) {
    run.child.kill('SIGTERM');
    await run.ended;
  }
  await untilStopped();
  await rm(folder, { recursive: true, maxRetries: 5 });
});

/** `npm start` without npm: it ends when this process does. */
function start(env = {}, clone = root) {
  const child = spawn(process.execPath, [join(clone, 'scripts/start.mjs')], {
    cwd: clone,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const run = { child, output: '', ended: once(child, 'exit') };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      run.output += text;
    });
  }
  started.push(run);
  return run;
}

async function untilReady(run) {
  await vi.waitFor(() => expect(run.output).toContain('Mogakgong is ready'), {
    timeout: READY_TIMEOUT_MS,
  });
  return /is ready: (\S+)/.exec(run.output)[1];
}

async function instance() {
  return readFile(join(folder, 'data/instance.json'), 'utf8').then(JSON.parse, () => undefined);
}

/** The API gives its lock back as its last act. */
async function untilStopped() {
  await vi.waitFor(async () => expect(await instance()).toBeUndefined(), { timeout: 20_000 });
}

/** One line, no stack trace. */
function expectOneLine(run, line) {
  expect(run.output).toMatch(line);
  expect(run.output).not.toMatch(/^\s+at /m);
}

const account = { email: 'learner@example.org', password: 'quiet-room-1' };

async function post(url, path, body) {
  return fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

test('after kill -9 of the start script and the API the next start serves what was acknowledged', async () => {
  const first = start();
  const url = await untilReady(first);
  const signup = {
    ...account,
    nickname: '조용한 학생',
    consents: { age: true, terms: true, privacy: true },
  };
  const answer = await post(url, '/api/auth/signup', signup);
  expect([200, 201]).toContain(answer.status);
  process.kill((await instance()).pid, 'SIGKILL');
  first.child.kill('SIGKILL');
  await first.ended;

  const second = start();
  const login = await post(await untilReady(second), '/api/auth/login', account);
  expect(login.status).toBe(200);
  second.child.kill('SIGINT');
  expect(await second.ended).toEqual([0, null]);
  await untilStopped();
});

test('when the start script is killed the API stops by itself', async () => {
  const run = start();
  await untilReady(run);
  run.child.kill('SIGKILL');
  await untilStopped();
});

test('an API that is killed while it serves is started again', async () => {
  const run = start();
  await untilReady(run);
  const { pid } = await instance();
  run.output = '';
  process.kill(pid, 'SIGKILL');
  const url = await untilReady(run);
  expect(run.output).toContain('The server ended unexpectedly; starting it again.');
  expect((await fetch(new URL('/livez', url))).status).toBe(200);
});

test('a second start with the same data says that one runs already, and where', async () => {
  const url = await untilReady(start());
  const second = start();
  expect(await second.ended).toEqual([1, null]);
  expectOneLine(second, new RegExp(`already runs at ${url}.*set another DATA_DIR`));
});

test('a taken port is one line that says what to do', async () => {
  const other = createServer().listen(0);
  await once(other, 'listening');
  const { port } = other.address();
  const run = start({ PORT: String(port) });
  expect(await run.ended).toEqual([1, null]);
  expectOneLine(run, new RegExp(`Port ${port} is taken.*PORT=3001 npm start`));
  other.close();
});

test('a DATA_DIR that cannot be written is one line that says what to do', async () => {
  const run = start({ DATA_DIR: '/dev/null/data' });
  expect(await run.ended).toEqual([1, null]);
  expectOneLine(run, /DATA_DIR \/dev\/null\/data cannot be written.*DATA_DIR=/);
});

test('an unknown option is one line', async () => {
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs'), '--fast']);
  let output = '';
  child.stderr.on('data', (text) => {
    output += text;
  });
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(output).toBe("✗ Unknown option '--fast'.\n");
});

/** A clone without a cache, whose PATH has nothing: neither livekit-server nor Go nor Python. */
async function bareClone() {
  const clone = join(folder, 'clone');
  await mkdir(join(folder, 'empty'));
  for (const name of ['scripts', 'media']) {
    await cp(join(root, name), join(clone, name), { recursive: true });
  }
  for (const name of ['package.json', 'package-lock.json', 'node_modules', 'apps', 'packages']) {
    await symlink(join(root, name), join(clone, name));
  }
  return clone;
}

test('a release archive whose hash is wrong is never run; without another way there is one line with the ways', async () => {
  const mirror = createHttpServer((_, answer) => answer.end('not the release')).listen(0);
  await once(mirror, 'listening');
  const base = `http://127.0.0.1:${mirror.address().port}`;
  const run = start(
    { PATH: join(folder, 'empty'), LIVEKIT_RELEASE_BASE_URL: base },
    await bareClone(),
  );
  expect(await run.ended).toEqual([1, null]);
  expectOneLine(run, /is not the archive that was released .* not run\. Trying the next way/);
  expectOneLine(run, /The media server cannot be had. Do one of these.*Go 1.26.*LIVEKIT_URL/);
  mirror.close();
});

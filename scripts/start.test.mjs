import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeDataDir, removeDataDir } from '../test/data-dir.ts';
import { freePort } from '../test/free-port.ts';
import * as stack from '../test/running-stack.ts';
import { whyInstall } from './stack/install.mjs';
import { root, version } from './stack/places.mjs';

const READY_TIMEOUT_MS = 30_000;

let folder;
let dataDir;
let started;
/** The product of most tests: each takes what the last one left, because a start takes seconds. */
let site;

beforeAll(async () => {
  // A start would reinstall the dependencies that this run uses.
  expect(await whyInstall(root)).toBeUndefined();
});

async function openFolder() {
  started = [];
  folder = await makeDataDir();
  dataDir = join(folder, '내 npm 자료');
}

async function closeFolder() {
  for (const run of started) {
    run.child.kill('SIGTERM');
    await run.ended;
  }
  await untilStopped();
  await removeDataDir(folder);
}

/** `npm start` without npm: it ends when this process does. */
function start(env = {}, clone = root) {
  const child = spawn(process.execPath, [join(clone, 'scripts/start.mjs')], {
    cwd: clone,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, ...env },
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
  await vi.waitFor(() => expect(run.output).toContain(`Mogakgong ${version} is ready`), {
    timeout: READY_TIMEOUT_MS,
  });
  return /is ready: (\S+)/.exec(run.output)[1];
}

async function instance() {
  return readFile(join(dataDir, 'instance.json'), 'utf8').then(JSON.parse, () => undefined);
}

/** The running product, which is started unless the last test left one; the start script and the address. */
async function untilRunning() {
  if (!site || site.child.exitCode !== null || site.child.signalCode !== null) {
    // The media server calls the API at this port: with another one it would be started again.
    site = start({ PORT: String(await freePort()) });
  }
  return [site, await untilReady(site)];
}

/** The stack releases its lock as its last step. */
async function untilStopped() {
  await vi.waitFor(async () => expect(await instance()).toBeUndefined(), { timeout: 20_000 });
}

const apiPids = () => stack.apiPids({ dataDir });
const mediaPid = () => stack.mediaPid({ dataDir });
const postgresPid = () => stack.postgresPid({ dataDir });

/** Asks again and again, on kept and on new connections, until it is stopped; answers what failed. */
function askAgainAndAgain(url) {
  const failures = [];
  let answers = 0;
  let isStopped = false;
  const loop = async (headers) => {
    while (!isStopped) {
      await fetch(new URL('/livez', url), { headers, signal: AbortSignal.timeout(10_000) }).then(
        async (answer) => {
          await answer.text();
          if (answer.ok) answers += 1;
          else failures.push(answer.status);
        },
        (error) => {
          failures.push(error.cause?.code ?? error.name);
          // Not in a circle, which would keep the processor from the process that starts.
          return delay(50);
        },
      );
    }
  };
  const loops = [loop({}), loop({}), loop({ connection: 'close' })];
  return async () => {
    isStopped = true;
    await Promise.all(loops);
    return { failures, answers };
  };
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

describe('a site', () => {
  beforeAll(openFolder);
  afterAll(closeFolder);

  test('a second start with the same data says that one runs already, and where', async () => {
    const [, url] = await untilRunning();
    const second = start();
    expect(await second.ended).toEqual([1, null]);
    expectOneLine(second, new RegExp(`already runs at ${url}.*set another DATA_DIR`));
  });

  test('SIGHUP restarts the API without a failed request', async () => {
    const [run, url] = await untilRunning();
    const [old] = await apiPids();
    const media = await mediaPid();
    const stopAsking = askAgainAndAgain(url);
    run.child.kill('SIGHUP');
    await vi.waitFor(async () => {
      const pids = await apiPids();
      expect(pids).toHaveLength(1);
      expect(pids).not.toContain(old);
    }, READY_TIMEOUT_MS);
    const { failures, answers } = await stopAsking();
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(100);
    expect(await mediaPid()).toBe(media);
  });

  test('kill -9 of the API leaves database and media alone; it is started again', async () => {
    const [, url] = await untilRunning();
    const [killed] = await apiPids();
    const before = [await mediaPid(), await postgresPid()];
    const stopAsking = askAgainAndAgain(url);
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(async () => {
      expect(await apiPids()).not.toContain(killed);
      expect((await fetch(new URL('/readyz', url))).status).toBe(200);
    }, READY_TIMEOUT_MS);
    // Requests under way fail at once; none is left without an answer.
    const { failures } = await stopAsking();
    expect(failures).not.toContain('TimeoutError');
    expect([await mediaPid(), await postgresPid()]).toEqual(before);
  });

  test('when the start script is killed everything stops by itself', async () => {
    const [run] = await untilRunning();
    const [api, media, postgres] = [(await apiPids())[0], await mediaPid(), await postgresPid()];
    run.child.kill('SIGKILL');
    await untilStopped();
    for (const pid of [api, media, postgres]) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('kill -9 of the stack: it is run again and takes over database and media', async () => {
    const [run] = await untilRunning();
    const { pid } = await instance();
    const before = [await mediaPid(), await postgresPid()];
    run.output = '';
    process.kill(pid, 'SIGKILL');
    const url = await untilReady(run);
    expect(run.output).toContain('The product was ended by SIGKILL; starting it again.');
    expect([await mediaPid(), await postgresPid()]).toEqual(before);
    expect((await fetch(new URL('/livez', url))).status).toBe(200);
  });

  test('after kill -9 of the start script and the API the next start serves what was acknowledged', async () => {
    const [first, url] = await untilRunning();
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

describe('a start that cannot go on', () => {
  beforeEach(openFolder);
  afterEach(closeFolder);

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
});

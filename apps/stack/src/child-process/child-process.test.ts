import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeDataDir, removeDataDir } from '../../../../test/data-dir.ts';
import { createLogger } from '../logger.ts';
import { childEnded } from './ended-child.ts';
import { readLivePidFile, removePidFile, writePidFile } from './pid-file.ts';
import { writePrivateFile } from './private-file.ts';
import { commandLine, identifyProcess, isAlive, waitUntilGone } from './process-identity.ts';
import { endWhenHanging, restartDelayMs, type SupervisedProcess, supervise } from './supervisor.ts';

const logger = createLogger('silent');
let folder: string;

beforeEach(async () => {
  folder = await makeDataDir();
});

afterEach(async () => {
  await removeDataDir(folder);
});

/** A real process that waits to be ended. */
function startSleeper() {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], {
    stdio: 'ignore',
  });
  return { child, pid: child.pid as number, ended: once(child, 'exit') };
}

test('a process has the same identity for as long as it lives, and none afterwards', async () => {
  const sleeper = startSleeper();
  const identity = await identifyProcess(sleeper.pid);
  expect(identity).toEqual(await identifyProcess(sleeper.pid));
  expect(identity && (await isAlive(identity))).toBe(true);
  expect(identity && (await waitUntilGone(identity, 0))).toBe(false);

  sleeper.child.kill('SIGKILL');
  expect(identity && (await waitUntilGone(identity, 5_000))).toBe(true);
  expect(await identifyProcess(sleeper.pid)).toBeUndefined();
  await sleeper.ended;
});

test('a process with the same id and another start is not the one that was noted', async () => {
  const identity = await identifyProcess(process.pid);
  expect(identity).toBeDefined();
  expect(await isAlive({ pid: process.pid, startedAt: 'another boot/1' })).toBe(false);
});

test('the command line of a process can be read while it lives', async () => {
  const sleeper = startSleeper();
  expect(await commandLine(sleeper.pid)).toContain('--eval setInterval');
  sleeper.child.kill('SIGKILL');
  await sleeper.ended;
  expect(await commandLine(sleeper.pid)).toBeUndefined();
});

test('a pid file finds its living process, and forgets it', async () => {
  const file = path.join(folder, 'process.json');
  await writePidFile(file, process.pid);
  expect(await readLivePidFile(file)).toEqual(await identifyProcess(process.pid));
  await removePidFile(file);
  expect(await readLivePidFile(file)).toBeUndefined();
});

test.each([
  ['not JSON', 'half a fi'],
  ['another value', '[1]'],
  ['a reused id', JSON.stringify({ pid: process.pid, startedAt: 'long ago' })],
  ['a strange id', JSON.stringify({ pid: 'x', startedAt: 'long ago' })],
])('a pid file with %s names nobody', async (_, content) => {
  const file = path.join(folder, 'process.json');
  await writePrivateFile(file, content);
  expect(await readLivePidFile(file)).toBeUndefined();
});

test('a private file is replaced whole, belongs to its owner alone and leaves no draft', async () => {
  const file = path.join(folder, 'secret');
  await writePrivateFile(file, 'first');
  await writePrivateFile(file, 'second');
  expect(await readFile(file, 'utf8')).toBe('second');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['secret']);
});

test('a child that cannot be run ends with a sentence instead of an error event', async () => {
  const child = spawn(path.join(folder, 'missing'), []);
  expect(await childEnded(child)).toMatch(/could not be started: .*ENOENT/);
});

function launchSleeper(started: number[]): () => Promise<SupervisedProcess> {
  return async () => {
    const sleeper = startSleeper();
    started.push(sleeper.pid);
    const exited = childEnded(sleeper.child);
    return {
      exited,
      stop: async () => {
        sleeper.child.kill('SIGKILL');
        await exited;
      },
    };
  };
}

test('a process that is killed is started again until it is stopped', async () => {
  const started: number[] = [];
  const supervisor = supervise({ name: 'Sleeper', launch: launchSleeper(started), logger });
  await vi.waitFor(() => expect(supervisor.state().status).toBe('running'));
  process.kill(started[0] as number, 'SIGKILL');
  await vi.waitFor(() =>
    expect(supervisor.state()).toMatchObject({ restarts: 1, status: 'running' }),
  );
  expect(started).toHaveLength(2);

  await Promise.all([supervisor.stop(), supervisor.stop()]);
  expect(supervisor.state().status).toBe('stopped');
  expect(await identifyProcess(started[1] as number)).toBeUndefined();
  expect(started).toHaveLength(2);
});

test('a process that ran for ten seconds is started again at once, however often it is killed', async () => {
  const clock = vi.spyOn(performance, 'now');
  let nowMs = 0;
  clock.mockImplementation(() => nowMs);
  const started: number[] = [];
  const logged = vi.spyOn(logger, 'error');
  const supervisor = supervise({ name: 'Sleeper', launch: launchSleeper(started), logger });
  for (let kills = 0; kills < 5; kills += 1) {
    await vi.waitFor(() => expect(started).toHaveLength(kills + 1));
    await vi.waitFor(() => expect(supervisor.state().status).toBe('running'));
    nowMs += 10_001;
    process.kill(started[kills] as number, 'SIGKILL');
    await vi.waitFor(() => expect(logged).toHaveBeenCalledTimes(kills + 1));
  }
  await supervisor.stop();
  const waits = logged.mock.calls.map(([fields]) => (fields as { waitMs: number }).waitMs);
  clock.mockRestore();
  logged.mockRestore();
  expect(Math.max(...waits)).toBeLessThanOrEqual(200);
});

test('a process is ended when checks fail in a row, and not once it is being stopped', async () => {
  const sleeper = startSleeper();
  const stopping = new AbortController();
  const watch = { name: 'Sleeper', pid: sleeper.pid, everyMs: 1, hangsAfter: 3, logger };
  let checks = 0;
  const stopAtThird = () => {
    checks += 1;
    if (checks === 3) stopping.abort();
    return false;
  };
  await endWhenHanging({ ...watch, works: stopAtThird, signal: stopping.signal });
  expect(await identifyProcess(sleeper.pid)).toBeDefined();

  const answers = [false, false, true, false, false, false, true];
  const works = () => answers.shift() ?? true;
  await endWhenHanging({ ...watch, works, signal: new AbortController().signal });
  expect(answers).toEqual([true]);
  expect(await sleeper.ended).toEqual([null, 'SIGKILL']);
});

test('a process that cannot be started is tried again, and the reason can be read', async () => {
  let tries = 0;
  const supervisor = supervise({
    name: 'Broken',
    logger,
    launch: async () => {
      tries += 1;
      throw new Error('no such thing');
    },
  });
  await vi.waitFor(() => expect(tries).toBeGreaterThanOrEqual(3), 5_000);
  expect(supervisor.state()).toMatchObject({ status: 'restarting', lastError: 'no such thing' });
  await supervisor.stop();
  const triesAtStop = tries;
  expect(supervisor.state().status).toBe('stopped');
  expect(tries).toBe(triesAtStop);
});

test('a stop in the middle of a start ends what the start brings up', async () => {
  const started: number[] = [];
  const launch = launchSleeper(started);
  let letStart = () => {};
  const mayStart = new Promise<void>((resolve) => {
    letStart = resolve;
  });
  const supervisor = supervise({ name: 'Slow', logger, launch: () => mayStart.then(launch) });
  const stopped = supervisor.stop();
  letStart();
  await stopped;
  expect(started).toHaveLength(1);
  expect(await identifyProcess(started[0] as number)).toBeUndefined();
});

test('delays double from 0.2 s to 30 s, at least half of them fixed', () => {
  expect(restartDelayMs(0, () => 0)).toBe(100);
  expect(restartDelayMs(0, () => 1)).toBe(200);
  expect(restartDelayMs(3, () => 1)).toBe(1_600);
  fc.assert(
    fc.property(fc.nat(2_000), fc.double({ min: 0, max: 1, noNaN: true }), (failures, luck) => {
      const delayMs = restartDelayMs(failures, () => luck);
      expect(delayMs).toBeGreaterThanOrEqual(100);
      expect(delayMs).toBeLessThanOrEqual(30_000);
    }),
  );
});

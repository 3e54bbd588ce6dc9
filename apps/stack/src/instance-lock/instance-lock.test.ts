import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDataDir, removeDataDir } from '../../../../test/data-dir.ts';
import { identifyProcess } from '../child-process/index.ts';
import { createLogger } from '../logger.ts';
import { acquireInstanceLock, InstanceRunningError, readInstanceRecord } from './index.ts';

const logger = createLogger('silent');
let dataDir: string;

beforeEach(async () => {
  dataDir = await makeDataDir();
});

afterEach(async () => {
  await removeDataDir(dataDir);
});

test('a second instance learns that one runs already, and where', async () => {
  const lock = await acquireInstanceLock({ dataDir, logger });
  await expect(acquireInstanceLock({ dataDir, logger })).rejects.toThrow(/already is starting/);
  await lock.announceRunning('http://localhost:3000');
  const refusal = acquireInstanceLock({ dataDir, logger });
  await expect(refusal).rejects.toThrow(InstanceRunningError);
  await expect(refusal).rejects.toThrow(
    /already runs at http:\/\/localhost:3000 .*another DATA_DIR/,
  );
  await lock.release();
  expect(await readdir(dataDir)).toEqual([]);
});

test('an instance that is stopping is waited for', async () => {
  const first = await acquireInstanceLock({ dataDir, logger });
  await first.announceStopping();
  const second = acquireInstanceLock({ dataDir, logger });
  await first.release();
  await (await second).release();
  expect(await readInstanceRecord(dataDir)).toBeUndefined();
});

test('the waiting for a stopping instance has an end, and can be given up', async () => {
  const lock = await acquireInstanceLock({ dataDir, logger });
  await lock.announceStopping();
  await expect(acquireInstanceLock({ dataDir, logger, stoppingDeadlineMs: 0 })).rejects.toThrow(
    InstanceRunningError,
  );
  const giveUp = new AbortController();
  const waiting = acquireInstanceLock({ dataDir, logger, signal: giveUp.signal });
  giveUp.abort();
  await expect(waiting).rejects.toThrow(/abort/);
  await lock.release();
});

test('the lock of a killed process is taken over', async () => {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  const holder = await identifyProcess(child.pid as number);
  const record = { ...holder, status: 'running', url: 'http://localhost:3000' };
  await writeFile(path.join(dataDir, 'instance.json'), `${JSON.stringify(record)}\n`);
  await expect(acquireInstanceLock({ dataDir, logger })).rejects.toThrow(/already runs/);

  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = await acquireInstanceLock({ dataDir, logger });
  expect((await readInstanceRecord(dataDir))?.pid).toBe(process.pid);
  await lock.release();
});

test.each(['', 'half a fi', '[]'])(
  'a damaged lock (%j) stands in nobody’s way',
  async (content) => {
    await writeFile(path.join(dataDir, 'instance.json'), content);
    const lock = await acquireInstanceLock({ dataDir, logger });
    await lock.release();
  },
);

test('of many that come at the same moment one gets the lock, also when a dead one is in the way', async () => {
  const file = path.join(dataDir, 'instance.json');
  const dead = JSON.stringify({ pid: 1, startedAt: 'before', status: 'running' });
  for (let round = 0; round < 30; round += 1) {
    await writeFile(file, `${dead}\n`);
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => acquireInstanceLock({ dataDir, logger })),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const text = await readFile(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ pid: process.pid, status: 'starting' });
    expect(await readdir(dataDir)).toEqual(['instance.json']);
  }
});

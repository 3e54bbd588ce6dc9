import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepLogShort, openChildLog } from './child-log.ts';

test('a log is emptied while its child writes, and goes on at the beginning', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mogakgong-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'child.log');
  const { file: appended } = await openChildLog(file);
  onTestFinished(() => appended.close());
  onTestFinished(keepLogShort(file));
  await appended.write(Buffer.alloc(11 * 1024 * 1024, 'x'));
  await vi.waitFor(async () => expect((await stat(file)).size).toBe(0), { timeout: 5_000 });
  await appended.write('later\n');
  expect((await stat(file)).size).toBe(6);
});

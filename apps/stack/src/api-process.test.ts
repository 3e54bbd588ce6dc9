import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeDataDir, removeDataDir } from '../../../test/data-dir.ts';
import { freePort } from '../../../test/free-port.ts';
import { launchApi } from './api-process.ts';
import { startApiProcesses } from './api-processes.ts';
import { createLogger } from './logger.ts';
import { startPostgres } from './postgres-server/index.ts';

const STARTS_WITHIN_MS = 25_000;

test('an API process that hangs is ended and started again; the one beside it goes on', async () => {
  const dataDir = await makeDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  const logger = createLogger('silent');
  const database = await startPostgres({ dataDir, logger, durable: false });
  onTestFinished(() => database.stop());
  const pidFolder = path.join(dataDir, 'api');
  const pids = async () => (await readdir(pidFolder)).map((name) => Number.parseInt(name, 10));
  const env = {
    ...{ HOST: '127.0.0.1', PORT: String(await freePort()), LOG_LEVEL: 'fatal' },
    ...{ DATABASE_URL: database.url, AUTH_SECRET: 'the secret of a test of the stack' },
  };
  const hurry = new AbortController();
  const [informed, complained] = [vi.spyOn(logger, 'info'), vi.spyOn(logger, 'error')];
  const isRunning = (number: number) =>
    vi.waitFor(
      () => expect(informed).toHaveBeenCalledWith(`API process ${number} of 2 is running`),
      STARTS_WITHIN_MS,
    );
  const apis = await startApiProcesses({
    count: 2,
    launch: (stopping) =>
      launchApi(
        { env, pidFolder, isWatched: false, hurry: hurry.signal, logger, askEveryMs: 500 },
        stopping,
      ),
    sharesPort: true,
    logger,
  });
  onTestFinished(async () => {
    hurry.abort();
    await apis.stop();
  });
  const [hanging] = (await pids()) as [number];
  await isRunning(2);
  const other = (await pids()).find((pid) => pid !== hanging);

  process.kill(hanging, 'SIGSTOP');
  await isRunning(1);
  expect(await pids()).not.toContain(hanging);
  expect(await pids()).toContain(other);
  expect(complained.mock.calls).toEqual([
    [{ pid: hanging }, 'An API process hangs; ending it'],
    [expect.objectContaining({ reason: 'it was ended by SIGKILL' }), expect.any(String)],
  ]);
});

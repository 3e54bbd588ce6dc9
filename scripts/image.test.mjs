import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { API_NODE_OPTIONS } from '../apps/stack/src/api-process.ts';
import { freePort } from '../test/free-port.ts';
import { root } from './stack/places.mjs';
import { run } from './stack/run.mjs';

const entrypoint = join(root, 'deploy/entrypoint.sh');

/** Whether the health check of the image finds the product healthy. */
const isHealthy = (env) =>
  run(process.execPath, [join(root, 'deploy/health.mjs')], { env }).then(
    () => true,
    () => false,
  );

async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'mogakgong-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('a process of the API in the image has the options that the stack gives it', async () => {
  const options = API_NODE_OPTIONS.join(' ');
  await expect(readFile(entrypoint, 'utf8')).resolves.toContain(`exec node ${options} apps/api`);
});

test('the image refuses a command that it does not have', () => {
  const { status, stderr } = spawnSync('sh', [entrypoint, 'strat'], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toContain('There is no command strat');
});

test('a container is healthy while it starts, and afterwards while it answers', async () => {
  const folder = await temporaryFolder();
  const record = join(folder, 'instance.json');
  const port = await freePort();
  const env = { DATA_DIR: folder, PORT: String(port) };
  expect(await isHealthy(env)).toBe(false);
  await writeFile(record, '{"pid":1,"startedAt":"1","status":"starting"}');
  expect(await isHealthy(env)).toBe(true);
  await writeFile(record, '{"pid":1,"startedAt":"1","status":"running"}');
  expect(await isHealthy(env)).toBe(false);

  const answers = { '/livez': 200 };
  const server = createServer(({ url }, response) => response.writeHead(answers[url] ?? 404).end());
  onTestFinished(() => server.close());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await isHealthy(env)).toBe(true);
  answers['/livez'] = 500;
  expect(await isHealthy(env)).toBe(false);
});

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { login, signup } from '@mogakgong/contract';
import { provideChromium } from '../scripts/stack/browsers.mjs';
import { canRun } from '../scripts/stack/debian-package.mjs';
import { root } from '../scripts/stack/places.mjs';
import { prepareStack } from '../scripts/stack/prepare.mjs';
import { runMain, StartError, say, step } from '../scripts/stack/terminal.mjs';
import { buildImage } from './smoke/build-image.mjs';
import { startContainer } from './smoke/container.mjs';

/**
 * `npm run smoke:image`: builds the image and runs it as a container runtime would, as user 1000 with a read-only root;
 * learners use it in a real browser, it is stopped, started from a backup, and killed. Where registries of images
 * cannot be reached, and no container can be run, this needs only packages of Debian and npm. Ends with 2 where its
 * tools are missing.
 */
const TOOLS = ['debootstrap', 'podman', 'unshare', 'nsenter'];
const LEFT_OUT = 2;
const ARCHIVE = '/data/smoke.tar.gz';
const MOST_MEGABYTES = 400;
/** `docker stop` kills what runs for longer. */
const STOP_DEADLINE_MS = 10_000;
/** From sign-up to the own camera; moving pictures of others; chat. */
const JOURNEYS = [
  'a newcomer comes from the landing page',
  'two and then three learners see each other’s moving pictures',
  'two learners talk in a room',
].join('|');

await runMain(async () => {
  const missing = await missingTools();
  if (missing.length > 0) {
    say(`The smoke test of the image needs Linux, root and ${missing.join(', ')}.`);
    return LEFT_OUT;
  }
  const env = await prepareStack();
  const folder = await mkdtemp(join(tmpdir(), 'mogakgong-image-'));
  const closers = [() => rm(folder, { recursive: true, force: true })];
  try {
    const image = await buildImage({ folder, closers, mediaServer: env.MEDIA_SERVER_BINARY });
    say(`  The image has ${image.megabytes} MB.`);
    expect(image.megabytes <= MOST_MEGABYTES, `The image has more than ${MOST_MEGABYTES} MB.`);
    await tryImage(image, { folder, closers, env });
  } finally {
    for (const close of closers.reverse()) await close();
  }
  return 0;
});

async function missingTools() {
  const isRoot = process.platform === 'linux' && process.getuid() === 0;
  const found = await Promise.all(TOOLS.map(canRun));
  return [...(isRoot ? [] : ['root']), ...TOOLS.filter((_, index) => !found[index])];
}

async function tryImage(image, { folder, closers, env }) {
  const run = () => startContainer(image, { data: join(folder, 'data'), closers });
  const first = await step('Starting it', run);
  expect((await first.exec('touch', '/app/x')) !== 0, 'The root can be written.');
  expect((await first.exec('mogakgong', 'health')) === 0, 'It is not healthy.');
  expect((await first.exec('mogakgong', 'doctor')) === 0, 'The doctor finds problems.');
  expect((await first.exec('mogakgong', 'admin', 'list')) === 0, 'Commands do not work in it.');
  await step('Learners use it', async () => {
    const stacks = JSON.stringify([{ url: first.url, port: first.port, dataDir: first.data }]);
    const code = await playwright({
      ...env,
      CHROMIUM_PATH: await provideChromium(),
      E2E_STACKS: stacks,
    });
    expect(code === 0, 'A journey failed.');
  });
  expect((await first.another()) === 1, 'Two containers use one volume.');
  const credentials = await signUp(first.url);
  expect((await first.exec('mogakgong', 'backup', ARCHIVE)) === 0, 'There is no backup.');
  await step('Stopping it', async () => {
    const code = await first.stop(STOP_DEADLINE_MS);
    expect(code === 0, `It ended with ${code}.`);
  });
  expect((await first.another('restore', ARCHIVE)) === 0, 'The backup cannot be restored.');
  for (const end of ['kill', 'stop']) {
    const next = await step('Starting it with the same volume', run);
    expect((await logIn(next.url, credentials)).ok, 'An account is gone.');
    await next[end](STOP_DEADLINE_MS);
  }
}

function playwright(env) {
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const args = ['test', '-c', 'e2e', '--workers', '1', '-g', JOURNEYS];
  const child = spawn(process.execPath, [cli, ...args], { cwd: root, env, stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', resolve));
}

async function signUp(url) {
  const credentials = { email: 'smoke@example.org', password: 'Blue-lamp-42' };
  const consents = { age: true, terms: true, privacy: true };
  const answer = await post(`${url}${signup.path}`, {
    ...credentials,
    nickname: 'smoke',
    consents,
  });
  expect(answer.ok, `Sign-up answered ${answer.status}.`);
  return credentials;
}

function logIn(url, credentials) {
  return post(`${url}${login.path}`, credentials);
}

function post(url, body) {
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

function expect(isGood, message) {
  if (!isGood) throw new StartError(message);
}

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSite } from './doctor/network.mjs';
import { findGo } from './stack/go-toolchain.mjs';
import { root } from './stack/places.mjs';

const COMPOSE_SPEC = 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2';
const PERMISSIONS = 0o777;

const folder = mkdtempSync(join(tmpdir(), 'mogakgong-test-'));
const inFolder = (name) => join(folder, name);
const read = (name) => readFileSync(inFolder(name), 'utf8').trim();
const init = (...args) => spawnSync(inFolder('init'), args, { encoding: 'utf8' });

beforeAll(() => {
  cpSync(join(root, 'deploy'), folder, {
    recursive: true,
    filter: (path) => !/\/(?:\.env|secrets[^/]*)$/u.test(path),
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [],
  ['study.example.org'],
  ['study', 'you@example.org'],
  ['https://study.example.org', 'you@example.org'],
  ['study.example.org/', 'you@example.org'],
  ['-study.example.org', 'you@example.org'],
  ['study.example.org\nMAIL=x', 'you@example.org'],
  ['study.example.org', 'you'],
  ['study.example.org', 'you@example.org', '203.0.113.7 x'],
])('deploy/init refuses %j', (...args) => {
  const { status, stderr } = init(...args);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^✗ /u);
  expect(existsSync(inFolder('.env'))).toBe(false);
  expect(existsSync(inFolder('secrets'))).toBe(false);
});

test('deploy/init writes secrets and settings once, and says what else to do', () => {
  const { status, stdout } = init('study.example.org', 'you@example.org');
  expect(status).toBe(0);
  for (const word of ['record A of study.example.org', 'UDP 7882', 'TCP 7881', 'doctor']) {
    expect(stdout).toContain(word);
  }
  expect(statSync(inFolder('.env')).mode & PERMISSIONS).toBe(0o600);
  // Users of containers read the files, nobody else passes the folder.
  expect(statSync(inFolder('secrets')).mode & PERMISSIONS).toBe(0o700);
  const secrets = ['auth-secret', 'database-password', 'livekit-secret', 'postgres-password'];
  const values = [...secrets, 'turn-secret'].map((name) => read(`secrets/${name}`));
  for (const value of values) expect(value).toMatch(/^[\da-f]{64}$/u);
  expect(new Set(values).size).toBe(values.length);
  expect(read('secrets/database-url')).toContain(`:${read('secrets/database-password')}@postgres/`);
  expect(read('secrets/turnserver.conf')).toContain(`secret=${read('secrets/turn-secret')}\n`);
  expect(parseEnv(read('.env'))).toEqual({
    DOMAIN: 'study.example.org',
    MAIL: 'you@example.org',
    SUPPORT_MAIL: 'you@example.org',
    MEDIA_ADDRESS: 'study.example.org',
  });

  const again = init('other.example.org', 'you@example.org');
  expect(again.status).toBe(1);
  expect(again.stderr).toContain('is there already');
  expect(read('secrets/auth-secret')).toBe(values[0]);
  expect(readdirSync(folder).filter((name) => name.startsWith('secrets'))).toEqual(['secrets']);
});

test('compose.yaml is valid with them, and its containers are contained', async ({ skip }) => {
  const go = await findGo();
  skip(go === undefined, 'compose-go needs Go');
  // Its command line reads no variables, so they stay as they are written.
  const args = ['run', COMPOSE_SPEC, '-no-interpolation', '-format', 'json'];
  const { status, stdout, stderr } = spawnSync(go, [...args, inFolder('compose.yaml')], {
    encoding: 'utf8',
    cwd: folder,
  });
  skip(/dial tcp|lookup|timeout/u.test(stderr), 'compose-go cannot be downloaded');
  // The first run on a machine downloads it.
  expect(stderr.replaceAll(/^go: downloading .+\n/gmu, '')).toBe('');
  expect(status).toBe(0);
  const { services, secrets } = JSON.parse(stdout);
  expect(Object.keys(services).sort()).toEqual([
    'app',
    'caddy',
    'cell',
    'media',
    'postgres',
    'redis',
    'turn',
  ]);
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({
      restart: 'unless-stopped',
      read_only: true,
      cap_drop: ['ALL'],
      logging: { options: { 'max-size': '10m' } },
    });
  }
  for (const { file } of Object.values(secrets)) expect(existsSync(file)).toBe(true);
  const needed = [...stdout.matchAll(/\$\{(\w+)(?:\}|:\?)/gu)].map(([, name]) => name);
  expect(Object.keys(parseEnv(read('.env')))).toEqual(expect.arrayContaining(needed));
});

test('the doctor asks the address that learners open', async () => {
  expect(await checkSite(undefined)).toEqual([]);
  expect(await checkSite('http://127.0.0.1:9')).toMatchObject([{ level: 'note' }]);
});

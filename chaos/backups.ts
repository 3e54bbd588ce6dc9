/**
 * Backups while learners sign up and take breaks, restores, and both killed at moments all over their time: an archive
 * is whole or not there, and a restore has happened or has not. A learner whose account was deleted stays away.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { login, pauseTimer, requestDeletion, resumeTimer, signup } from '@mogakgong/contract';
import { createLogger } from '../apps/api/src/platform/logger/index.ts';
import { startPostgres } from '../apps/stack/src/postgres-server/index.ts';
import {
  inRunDir,
  newSecret,
  type SeatedLearner,
  seatLearners,
  startApi,
} from '../bench/support/product.ts';
import { query } from '../test/admin-query.ts';
import { callApi, untilDone } from './support/learner-calls.ts';

const KILLS = 10;
const MESSAGES = 60_000;
const API_SRC = path.join(import.meta.dirname, '../apps/api/src');
const PASSWORD = 'Blue-lamp-42';

type Environment = Readonly<Record<string, string>>;

/** A command of the operator; resolves with its time in ms, or null when it was killed before it ended. */
async function command(
  name: 'backup' | 'restore',
  words: readonly string[],
  env: Environment,
  killAfterMs?: number,
): Promise<number | null> {
  const beganMs = performance.now();
  const child = spawn(process.execPath, [path.join(API_SRC, `${name}.ts`), ...words], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  if (killAfterMs !== undefined) {
    await Promise.race([ended, delay(killAfterMs)]);
    child.kill('SIGKILL');
  }
  const [code, signal] = await ended;
  if (signal !== null) return null;
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return performance.now() - beganMs;
}

/** Kills a command at moments all over the time that it takes. */
async function killAllOver(tookMs: number, kill: (afterMs: number) => Promise<unknown>) {
  for (let index = 1; index <= KILLS; index += 1) await kill((tookMs * index) / (KILLS + 1));
}

/** Learners who sign up and take breaks until `stop`; it resolves with the addresses of those who have signed up. */
function startLoad(baseUrl: string, learners: readonly SeatedLearner[]) {
  const signedUp: string[] = [];
  let isOver = false;
  const press = async ({ token, userId, roomId }: SeatedLearner) => {
    while (!isOver) {
      for (const { method, path: url } of [pauseTimer, resumeTimer]) {
        await callApi({ baseUrl, token }, method, url, { userId, roomId });
      }
    }
  };
  const arrive = async () => {
    while (!isOver) {
      const email = await signUp(baseUrl);
      signedUp.push(email);
    }
  };
  const all = Promise.all([arrive(), ...learners.map(press)]);
  all.catch(() => undefined);
  return {
    signedUp,
    async stop() {
      isOver = true;
      await all;
    },
  };
}

async function signUp(baseUrl: string): Promise<string> {
  const name = randomBytes(6).toString('hex');
  const email = `${name}@example.org`;
  const consents = { age: true, terms: true, privacy: true };
  const body = { email, password: PASSWORD, nickname: `n${name}`, consents };
  await callApi({ baseUrl, token: '' }, signup.method, signup.path, body);
  return email;
}

async function logIn(baseUrl: string, email: string): Promise<string> {
  const body = { email, password: PASSWORD };
  const caller = { baseUrl, token: '' };
  return (await callApi<{ token: string }>(caller, login.method, login.path, body)).token;
}

async function run(folder: string): Promise<string[]> {
  await using started = new AsyncDisposableStack();
  const postgres = await startPostgres({ dataDir: folder, logger: createLogger('warn') });
  started.defer(() => postgres.stop());
  const secret = newSecret();
  const env = {
    DATABASE_URL: postgres.url,
    AUTH_SECRET: secret,
    RATE_LIMIT_SCALE: '100000',
    BACKUP_TO: path.join(folder, 'backups'),
    IMAGES_DIR: path.join(folder, 'images'),
  };
  const sql = async (text: string) => (await query(postgres.connection, text)).rows;
  const api = await startApi({ runDir: folder, name: 'api', env });
  started.defer(() => api.stop());
  const baseUrl = `http://127.0.0.1:${api.port}`;
  const learners = await seatLearners(postgres.url, { rooms: 2, members: 2, secret });
  await sql(`insert into chat_message
    select ${learners[0]?.roomId}, 1, number, ${learners[0]?.userId}, number::text, repeat('quiet ', 30), 'learner1', '', now()
    from generate_series(1, ${MESSAGES}) as number`);
  const faults: string[] = [];

  const load = startLoad(baseUrl, learners);
  const tookMs = await command('backup', [], env);
  await killAllOver(tookMs ?? 0, (afterMs) => command('backup', [], env, afterMs));
  const leaving = await signUp(baseUrl);
  const before = [...load.signedUp];
  const archive = path.join(folder, 'archive.tar.gz');
  await command('backup', [archive], env);
  await load.stop();
  // It removes what killed ones left.
  await command('backup', [], env);
  const kept = await readdir(env.BACKUP_TO);
  faults.push(...kept.filter((name) => name.endsWith('.unfinished')));

  const token = await logIn(baseUrl, leaving);
  const { method, path: url } = requestDeletion;
  await callApi({ baseUrl, token }, method, url, { delayDays: 0 });
  await untilDone(async () => {
    const found = await sql(`select from users where email = '${leaving}'`);
    if (found.length > 0) throw new Error('not deleted yet');
    await delay(500);
  });
  await command('backup', [], env);
  await api.stop();

  const users = async () => (await sql('select count(*)::integer as count from users'))[0]?.count;
  const now = await users();
  const restoredMs = await command('restore', [archive], env);
  const restored = await users();
  await killAllOver(restoredMs ?? 0, async (afterMs) => {
    await sql(`insert into users (nickname, introduction, profile_image, social_provider)
      values ('${randomBytes(6).toString('hex')}', '', '', 'LOCAL')`);
    const present = await users();
    const isWhole = (await command('restore', [archive], env, afterMs)) !== null;
    const count = await users();
    if (count !== restored && (isWhole || count !== present)) faults.push(`${count} accounts`);
    const [{ messages }] = await sql('select count(*)::integer as messages from chat_message');
    if (messages !== MESSAGES) faults.push(`${messages} messages`);
  });
  for (const name of kept.filter((found) => found.startsWith('backup-'))) {
    await command('restore', [path.join(env.BACKUP_TO, name)], env);
  }
  await command('restore', [archive], env);
  const emails = new Set((await sql('select email from users')).map(({ email }) => email));
  faults.push(...before.filter((email) => !emails.has(email)).map((email) => `lost ${email}`));

  await api.restart();
  await logIn(baseUrl, before.at(-1) ?? '');
  const isBack = await logIn(baseUrl, leaving).then(
    () => true,
    () => false,
  );
  if (isBack) faults.push('a deleted account came back');
  console.log(
    `a backup took ${Math.round(tookMs ?? 0)} ms, a restore ${Math.round(restoredMs ?? 0)} ms, each killed ${KILLS} times; ${now} accounts, ${restored} after the restore, ${before.length} had signed up before`,
  );
  return faults;
}

const faults = await inRunDir(run);
for (const fault of faults) console.log(fault);
console.log(faults.length === 0 ? 'passed' : 'FAILED');
process.exitCode = faults.length === 0 ? 0 : 1;

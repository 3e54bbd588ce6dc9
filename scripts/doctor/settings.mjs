import { constants } from 'node:fs';
import { access, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { apiNode } from '../stack/node-version.mjs';
import { root } from '../stack/places.mjs';
import { run } from '../stack/run.mjs';
import { note, ok, problem } from './finding.mjs';

const GIGABYTE = 1e9;
const LITTLE_SPACE_GB = 2;

export const dataDir = resolve(root, process.env.DATA_DIR || 'data');

/** Validates the environment with the rules of the stack and the API. */
export async function checkEnvironment() {
  const script = `
    import { readStackEnv } from './apps/stack/src/env.ts';
    import { readEnv } from './apps/api/src/platform/env/index.ts';
    const report = (error) => { for (const line of error.problems ?? [error.message]) console.log(line); };
    try {
      const { has } = readStackEnv();
      const provided = {
        DATABASE_URL: 'postgres://localhost',
        AUTH_SECRET: 'x'.repeat(32),
        LIVEKIT_URL: 'http://localhost',
        LIVEKIT_API_KEY: 'x',
        LIVEKIT_API_SECRET: 'x',
      };
      if (has('LIVEKIT_URL')) for (const name of Object.keys(provided).slice(2)) delete provided[name];
      for (const name of Object.keys(provided)) if (has(name)) delete provided[name];
      readEnv({ ...process.env, ...provided });
    } catch (error) { report(error); }`;
  try {
    const lines = await run(apiNode(), ['--input-type=module', '--eval', script], { cwd: root });
    return lines.length === 0
      ? [ok('The environment variables are valid')]
      : lines.map((line) => problem(line));
  } catch {
    return [note('The environment variables are checked once the dependencies are installed')];
  }
}

/** DATA_DIR: is it writable, is there space, who owns the database. */
export async function checkDataDir() {
  const findings = [await checkWritable()];
  const space = await freeGigabytes();
  if (space !== undefined && space < LITTLE_SPACE_GB) {
    findings.push(problem(`Only ${space.toFixed(1)} GB are free for DATA_DIR`, 'Make room.'));
  }
  const major = await readFile(join(dataDir, 'postgres/PG_VERSION'), 'utf8').catch(() => '');
  if (major !== '') {
    findings.push(ok(`It holds a database of PostgreSQL ${major.trim()}`));
  }
  return findings;
}

/** Where backups go, and the newest daily one. */
export async function checkBackups() {
  const place = process.env.BACKUP_TO || join(dataDir, 'backups');
  const isDaily = Boolean(process.env.BACKUP_DAILY);
  const off = note('No daily backup is made', 'Set BACKUP_DAILY=03:00 (docs/operating/backup.md).');
  if (place.startsWith('s3://')) return isDaily ? [] : [off];
  const canWrite = await access(await nearestExisting(resolve(place)), constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!canWrite) {
    return [problem(`BACKUP_TO ${place} cannot be written`, 'Choose another folder.')];
  }
  if (!isDaily) return [off];
  const names = await readdir(place).catch(() => []);
  const newest = names
    .filter((name) => name.startsWith('daily-'))
    .sort()
    .at(-1);
  return [
    newest ? ok(`The newest daily backup is ${newest}`) : note('No daily backup is there yet'),
  ];
}

async function checkWritable() {
  const fix = 'Change its owner, or choose another: DATA_DIR=~/mogakgong-data npm start';
  const folder = await nearestExisting(dataDir);
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    await writeFile(probe, '');
    await rm(probe);
    return ok(`DATA_DIR ${dataDir} can be written`);
  } catch (error) {
    return problem(`DATA_DIR ${dataDir} cannot be written (${error.code})`, fix);
  }
}

async function freeGigabytes() {
  const { bavail, bsize } = await statfs(await nearestExisting(dataDir));
  return (bavail * bsize) / GIGABYTE;
}

async function nearestExisting(path) {
  return access(path).then(
    () => path,
    () => nearestExisting(dirname(path)),
  );
}

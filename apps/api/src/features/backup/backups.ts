import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@mogakgong/contract';
import type { AppContext } from '../sanctions/index.ts';
import { forgetOldEntries, whenLedgerChanged } from './ledger.ts';
import { findArchives } from './names.ts';
import type { Place } from './place.ts';
import { createPlace } from './places.ts';

/** After a failure. */
const TRY_AGAIN_MS = 30 * MINUTE_MS;
/** Restore points hold what learners have deleted since. */
const RESTORE_POINTS_KEPT_MS = 30 * 24 * HOUR_MS;
const BACKUP_COMMAND = path.resolve(import.meta.dirname, '../../backup.ts');
/** Chat and presses of learners come first. */
const LOW_PRIORITY = 10;

/** The last time at which a daily backup was due, by the clock of the machine. */
function lastDue(daily: string, now: Date): Date {
  const [hour = 0, minute = 0] = daily.split(':').map(Number);
  const due = new Date(now);
  due.setHours(hour, minute, 0, 0);
  if (due > now) due.setDate(due.getDate() - 1);
  return due;
}

/** Far longer than each takes: one that takes longer waits for a database, or a storage, that never answers. */
const TIMEOUT_MS = { '--daily': 6 * HOUR_MS, '--ledger': 5 * MINUTE_MS };

/** In a process of its own: it may compress, encrypt or merge for minutes. */
export async function run(
  option: keyof typeof TIMEOUT_MS,
  timeout = TIMEOUT_MS[option],
): Promise<void> {
  const backup = spawn(process.execPath, [BACKUP_COMMAND, option], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout,
  });
  const [problem, [code, signal]] = await Promise.all([
    text(backup.stderr),
    once(backup, 'exit'),
    once(backup, 'spawn').then(() => setPriority(backup.pid ?? 0, LOW_PRIORITY)),
  ]);
  const why = backup.killed ? `it was ended after ${timeout / SECOND_MS} s` : problem.trim();
  if (code !== 0) throw new Error(`backup ${option} failed: ${why || `ended by ${signal}`}`);
}

/** Backups that the product makes itself, and the ledger beside them. */
export function createBackups({ env, database, clock, jobs, metrics, logger }: AppContext): void {
  const place = createPlace(env.BACKUP_TO, env);
  const { BACKUP_DAILY: daily, BACKUP_KEEP: keep } = env;
  const startedAt = clock.now();
  const copyIfChanged = whenLedgerChanged(database, () => run('--ledger'));
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let isUnderWay = false;
  let failure: unknown = null;

  /** It takes minutes, which this job does not: the next run reports a failure. */
  function begin(now: Date): void {
    isUnderWay = true;
    run('--daily')
      .then(() => removeOld(place, keep, now))
      .then(() => logger.info({ to: place.about }, 'the daily backup is written'))
      .catch((error: unknown) => {
        failure = error;
        triedAtMs = now.getTime();
      })
      .finally(() => {
        isUnderWay = false;
      });
  }

  async function backUpIfDue(): Promise<void> {
    const now = clock.now();
    if (failure !== null) {
      const error = failure;
      failure = null;
      throw error;
    }
    const archives = findArchives(await place.list());
    // One from the future is of a clock that was ahead, and would keep all others from being made until then.
    const [newest] = archives.filter(({ occasion, at }) => occasion === 'daily' && at <= now);
    // Without one the time of the start: an alert also comes when none is ever made.
    const since = newest?.at ?? startedAt;
    if (newest || daily !== undefined) metrics?.backupTime.set(since.getTime() / 1_000);
    const isDone = daily === undefined || (newest && newest.at >= lastDue(daily, now));
    const isTooSoon = now.getTime() - triedAtMs < TRY_AGAIN_MS;
    if (!isDone && !isUnderWay && !isTooSoon) begin(now);
  }

  jobs.add(
    { name: 'backups', everyMs: MINUTE_MS, runs: 'site', run: backUpIfDue },
    {
      name: 'ledger of backups',
      everyMs: MINUTE_MS,
      runs: 'site',
      run: () => copyIfChanged(),
    },
    {
      name: 'old entries of the ledger',
      everyMs: HOUR_MS,
      runs: 'site',
      run: () => forgetOldEntries(database, clock.now()),
    },
  );
}

async function removeOld(place: Place, keep: number, now: Date): Promise<void> {
  const archives = findArchives(await place.list());
  const daily = archives.filter(({ occasion }) => occasion === 'daily');
  const points = archives.filter(({ occasion }) => occasion.startsWith('before-'));
  const since = now.getTime() - RESTORE_POINTS_KEPT_MS;
  const old = points.filter(({ at }) => at.getTime() < since);
  for (const { name } of [...daily.slice(keep), ...old]) await place.remove(name);
}

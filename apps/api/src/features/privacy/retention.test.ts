import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS, HOUR_MS } from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { givePersonalHistory } from '../../../test/personal-history.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { personalTables } from './personal-data.ts';

const { app } = await openTestSite();
let learner: Learner;
beforeAll(async () => {
  learner = await app.newLearner();
  await givePersonalHistory(app, learner, await app.newLearner());
});

const rules = Object.entries(personalTables);
/** When rows of a table are deleted, in milliseconds from now; never before the account without a rule. */
const deletedAfterMs = Object.fromEntries(
  rules.map(([table, { deleted }]) => [table, (deleted?.afterDays ?? Infinity) * DAY_MS]),
);

/** The tables with a row of the learner, after the jobs that the rules name. */
async function tablesOfLearner(): Promise<string[]> {
  const jobs = new Set(rules.flatMap(([, { deleted }]) => (deleted ? [deleted.by] : [])));
  for (const job of jobs) await app.runJob(job);
  const found: string[] = [];
  for (const [table, { owner }] of rules) {
    const { rows } = await sql`
      select 1 from ${sql.table(table)} where ${sql.ref(owner)} = ${learner.userId} limit 1`.execute(
      app.database,
    );
    if (rows.length > 0) found.push(table);
  }
  return found;
}

const tablesWithin = (afterMs: number) =>
  rules.map(([table]) => table).filter((table) => (deletedAfterMs[table] ?? 0) > afterMs);

it('data with a retention time is deleted after it, and nothing else is', async () => {
  let passedMs = 0;
  const times = new Set(Object.values(deletedAfterMs).filter(Number.isFinite));
  for (const time of [...times].sort((a, b) => a - b)) {
    for (const at of [time - HOUR_MS - 1_000, time + HOUR_MS]) {
      app.clock.advance(at - passedMs);
      passedMs = at;
      expect([at / DAY_MS, await tablesOfLearner()]).toEqual([at / DAY_MS, tablesWithin(at)]);
    }
  }
  expect(times.size).toBeGreaterThan(0);
});

it('a rule that tells learners a time says when its rows are deleted, and by which job', () => {
  const promising = rules.filter(([, { kept }]) => /\d(일|시간|년)/u.test(kept.ko));
  expect(promising.filter(([, { deleted }]) => !deleted).map(([table]) => table)).toEqual([]);
});

it('mails that were not sent are deleted after their 30 days', async () => {
  const { MAIL_OUTBOX_DIR: outbox } = app.env;
  await mkdir(outbox, { recursive: true });
  await writeFile(path.join(outbox, '2026-01-01T00-00-00.000Z-mail.txt'), `To: ${learner.email}`);
  app.clock.advance(30 * DAY_MS + HOUR_MS);
  await app.runJob('kept mails');
  expect(await readdir(outbox)).toEqual([]);
});

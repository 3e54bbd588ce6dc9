import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CHAT_KEPT_DAYS } from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { givePersonalHistory } from '../../../test/personal-history.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { personalTables } from './personal-data.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

const { app } = await openTestSite();
let learner: Learner;
beforeAll(async () => {
  learner = await app.newLearner();
  await givePersonalHistory(app, learner, await app.newLearner());
  const { MAIL_OUTBOX_DIR: outbox } = app.env;
  await mkdir(outbox, { recursive: true });
  await writeFile(path.join(outbox, '2026-01-01T00-00-00.000Z-mail.txt'), `To: ${learner.email}`);
});

/** The jobs that delete data older than the privacy policy (section 3) allows. */
const JOBS = [
  'expired log-ins',
  'old messages',
  'old reports',
  'kept mails',
  'ended hosted rooms',
  'lapsed friend requests',
];

async function tablesOfLearner(): Promise<string[]> {
  for (const job of JOBS) await app.runJob(job);
  const found: string[] = [];
  for (const [table, { owner }] of Object.entries(personalTables)) {
    const { rows } = await sql`
      select 1 from ${sql.table(table)} where ${sql.ref(owner)} = ${learner.userId} limit 1`.execute(
      app.database,
    );
    if (rows.length > 0) found.push(table);
  }
  return found;
}

describe('data with a retention time', () => {
  it('is deleted after it, and nothing else is', async () => {
    const all = Object.keys(personalTables);
    const links = ['password_reset', 'email_change'];
    expect(await tablesOfLearner()).toEqual(all.filter((table) => !links.includes(table)));
    app.clock.advance(CHAT_KEPT_DAYS * DAY_MS - HOUR_MS);
    expect(await tablesOfLearner()).toContain('chat_message');
    expect(await tablesOfLearner()).toContain('login_session');
    app.clock.advance(2 * HOUR_MS);
    const short = [
      ...links,
      ...['chat_message', 'login_session', 'hosted_room', 'room_guest', 'friend_request'],
    ];
    expect(await tablesOfLearner()).toEqual(all.filter((table) => !short.includes(table)));
    expect(await readdir(app.env.MAIL_OUTBOX_DIR)).toEqual([]);
  });
});

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { finishPasswordReset, getProfile, login, type Role } from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { databaseUrl } from '../test/backups.ts';
import {
  AUTH_SECRET,
  createTestApp,
  type Learner,
  PASSWORD,
  type TestApp,
} from '../test/test-app.ts';
import { openTestSite } from '../test/test-site.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const { app } = await openTestSite();
let learner: Learner;
beforeEach(async () => {
  learner = await app.newLearner();
});

/** Runs `npm run admin -- …` on the database of a test. */
async function adminOf(
  { databaseName }: TestApp,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const address = databaseUrl(databaseName);
  const command = ['apps/stack/src/with-database.ts', 'apps/api/src/admin.ts'];
  return promisify(execFile)(process.execPath, [...command, ...words], {
    cwd: root,
    env: { DATABASE_URL: address, AUTH_SECRET, PUBLIC_URL: 'https://study.example.org', ...env },
  });
}

const admin = (...words: readonly string[]) => adminOf(app, words);

const roleOf = async ({ headers }: Learner): Promise<Role> =>
  (await app.inject({ url: getProfile.path, headers })).json().role;

const eventsAbout = async ({ userId }: Learner) => {
  const { rows } = await sql`
    select action, actor_id, details from audit_event where subject_id = ${userId} order by id`.execute(
    app.database,
  );
  return rows;
};

describe('npm run admin', () => {
  it('gives a role, lists it, and takes it away; the log-in notices at once', async () => {
    const { email, nickname, userId } = learner;
    const who = `${email.toUpperCase()} (${nickname}, #${userId})`;
    const granted = await admin('grant', 'moderator', email.toUpperCase());
    expect(granted.stdout).toBe(
      `${who} is moderator now, was member.\nNobody has confirmed this e-mail yet: make sure that the account is theirs.\n`,
    );
    expect(await roleOf(learner)).toBe('moderator');
    expect((await admin('list')).stdout).toContain(
      `moderator  #${userId}  ${email}  ${nickname}\n`,
    );
    expect((await admin('grant', 'moderator', email)).stdout).toContain('is moderator already.');
    expect((await admin('revoke', email)).stdout).toContain('is member now, was moderator.');
    expect(await roleOf(learner)).toBe('member');
    expect(await eventsAbout(learner)).toEqual([
      { action: 'roleGranted', actor_id: null, details: { by: 'host', role: 'moderator' } },
      { action: 'roleRevoked', actor_id: null, details: { by: 'host', role: 'moderator' } },
    ]);
  });

  it('prints a link that sets a new password, once', async () => {
    const { email } = learner;
    const { stdout } = await admin('reset-password', email);
    const token = /^https:\/\/study\.example\.org\/password-reset#token=([\w-]+)$/mu.exec(
      stdout,
    )?.[1];
    const password = 'Green-desk-7';
    const set = () =>
      app.inject({
        method: finishPasswordReset.method,
        url: finishPasswordReset.path,
        payload: { token, newPassword: password, confirmNewPassword: password },
      });
    expect((await set()).statusCode).toBe(200);
    const payload = { email, password };
    const loggedIn = await app.inject({ method: login.method, url: login.path, payload });
    expect(loggedIn.statusCode).toBe(200);
    expect((await set()).json()).toMatchObject({ error: 'resetLinkEnded' });
    expect(await eventsAbout(learner)).toEqual([
      { action: 'passwordResetIssued', actor_id: null, details: { by: 'host' } },
    ]);
  });

  it('ends every log-in of an account, which the product learns by itself', async () => {
    const { email } = learner;
    const payload = { email, password: PASSWORD };
    const second = await app.inject({ method: login.method, url: login.path, payload });
    const phone = { authorization: `Bearer ${second.json<{ token: string }>().token}` };
    expect((await admin('log-out', email)).stdout).toBe(`2 log-ins of ${email} ended.\n`);
    await app.runJob('ended log-ins');
    for (const headers of [learner.headers, phone]) {
      const answer = await app.inject({ url: getProfile.path, headers });
      expect(answer.json()).toMatchObject({ error: 'unauthorized' });
    }
    expect(await eventsAbout(learner)).toEqual([
      { action: 'logInsEnded', actor_id: null, details: { by: 'host', count: 2 } },
    ]);
  });

  it.each([
    [['grant', 'owner', 'a@b.co'], 'npm run admin -- COMMAND'],
    [['grant', 'admin', 'nobody@example.org'], 'No account has the e-mail nobody@example.org.\n'],
    [['reset-password', 'nobody@example.org'], 'No account has the e-mail nobody@example.org.\n'],
  ])('answers %j with what is wrong, and fails', async (words, text) => {
    await expect(admin(...words)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(text),
    });
  });

  it('lists the secrets, and removes old ones once nothing stored needs them', async () => {
    const [old, fresh] = [AUTH_SECRET, 'another secret for tests that is long enough'];
    const site = await createTestApp();
    const secrets = (given: string, ...words: readonly string[]) =>
      adminOf(site, ['secrets', ...words], { AUTH_SECRET: given });
    const both = `${fresh},${old}`;
    const needs = 'media servers, sanctioned e-mails, second factor, web push';
    const idOf = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 8);
    await expect(secrets(both, 'prune')).rejects.toMatchObject({
      stderr: [
        'Stored keys need an older secret: restart every API first.',
        `${idOf(fresh)}  signs     not needed`,
        `${idOf(old)}  verifies  seals ${needs}\n`,
      ].join('\n'),
    });
    const { stdout } = await secrets(both, 'rotate');
    expect(stdout).toMatch(/^[\da-f]{64}\nPut it behind the secret of AUTH_SECRET/u);

    const renewing = await createTestApp({ env: { AUTH_SECRET: both }, besides: site });
    await renewing.close();
    const pruned = await secrets(both, 'prune');
    expect(pruned.stdout).toContain(`Nothing stored needs ${idOf(old)} any more.`);
    expect(pruned.stdout).toContain('Take the others out of AUTH_SECRET');
    await expect(secrets(fresh, 'prune')).rejects.toMatchObject({
      stderr: 'There is one secret only: nothing to remove.\n',
    });
    expect((await secrets(old)).stdout).toContain(
      'A key for second factor needs a secret that is not here.',
    );
    await site.close();
  });
});

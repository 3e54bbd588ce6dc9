import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { getProfile, requestDeletion } from '@mogakgong/contract';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import {
  comparable,
  createEmptySite,
  type EmptySite,
  envOf,
  openArchivedSite,
  refuseSecrets,
} from '../../../test/backups.ts';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { applySteps, knownSteps, migrate } from '../../platform/database/index.ts';
import type { Env } from '../../platform/env/index.ts';
import { backUp, copyLedger, keepPointBeforeUpgrade, restore } from './index.ts';

const { app, folder, file, close } = await openArchivedSite();
afterAll(close);

const restoreTo = (site: EmptySite, change: Partial<Env> = {}, from = file) =>
  restore({ ...site.env, ...change }, from, refuseSecrets);

describe('a restore', () => {
  it('keeps what was there, from which everything can be had back', async () => {
    await using site = await createEmptySite(app.env);
    await restoreTo(site);
    await site.withDatabase((database) =>
      sql`update users set introduction = 'changed since'`.execute(database),
    );
    const changed = comparable(await site.stored());
    const [, point = ''] = /The state before is in (.*)\.\n/u.exec(await restoreTo(site)) ?? [];
    expect(comparable(await site.stored())).not.toEqual(changed);
    await copyFile(point, `${point}-copy`);
    await restoreTo(site, {}, `${point}-copy`);
    expect(comparable(await site.stored())).toEqual(changed);
  });

  it('is refused while a process of the product uses the database', async () => {
    await using site = await createEmptySite(app.env);
    await restoreTo(site);
    await site.withDatabase(async (database) => {
      await sql`select 1`.execute(database);
      await expect(restoreTo(site)).rejects.toThrow('stop all of them first');
    });
  });

  it('ends every log-in, and no link of a mail works any more', async () => {
    await using site = await createEmptySite(app.env);
    await restoreTo(site);
    const stored = await site.stored();
    expect(stored.password_reset).toEqual([]);
    expect(stored.email_change).toEqual([]);
    const logIns = stored.login_session as { ended_at: string | null }[];
    expect(logIns.filter(({ ended_at }) => ended_at === null)).toEqual([]);
  });

  it('ends access tokens from before it, also of log-ins that the backup does not know', async () => {
    const before = await createTestApp();
    const learner = await before.newLearner();
    const restoredAt = new Date(before.clock.now().getTime() + 2_000);
    await sql`update site set restored_at = ${restoredAt}`.execute(before.database);
    const after = await createTestApp({ besides: before });
    const ask = async ({ headers }: Pick<Learner, 'headers'>) =>
      (await after.inject({ url: getProfile.path, headers })).statusCode;
    expect(await ask(learner)).toBe(401);
    after.clock.advance(5_000);
    expect(await ask(await after.renew(learner))).toBe(200);
    await after.close();
    await before.close();
  });

  it('leaves no picture that nobody has: the sweep knows those of the database before', async () => {
    await using site = await createEmptySite(app.env);
    await restoreTo(site);
    const late = `/files/images/${'a'.repeat(64)}.webp`;
    await site.withDatabase((database) =>
      sql`insert into image values (${late}, now())`.execute(database),
    );
    await restoreTo(site);
    expect((await site.stored()).image).toContainEqual(
      expect.objectContaining({ address: late, used_at: '-infinity' }),
    );
  });

  it('gives no number twice that was given after the backup', async () => {
    const later = await createTestApp();
    const before = path.join(folder, 'before-more');
    await backUp(envOf(later), before, 'backup');
    const given = (await later.newLearner()).userId;
    const more = path.join(folder, 'more');
    await backUp(envOf(later), more, 'backup');
    await using site = await createEmptySite(later.env);
    await restoreTo(site, {}, more);
    await restoreTo(site, {}, before);
    await site.withDatabase(async (database) => {
      const { rows } = await sql<{ id: number }>`
        insert into users (nickname, introduction, profile_image, social_provider)
        values (${randomUUID()}, '', '', 'LOCAL') returning id`.execute(database);
      expect(rows[0]?.id).toBeGreaterThan(given);
    });
    await later.close();
  });
});

describe('beside what is not ours', () => {
  it('tables of the operator are neither kept nor dropped', async () => {
    await using site = await createEmptySite(app.env);
    await restoreTo(site);
    await site.withDatabase((database) =>
      sql`create table notes_of_operator as select 'keep me' as note`.execute(database),
    );
    const beside = path.join(folder, 'beside-others');
    await backUp(site.env, beside, 'backup');
    await restoreTo(site);
    expect((await site.stored()).notes_of_operator).toEqual([{ note: 'keep me' }]);
    await using other = await createEmptySite(app.env);
    await restoreTo(other, {}, beside);
    expect(await other.stored()).not.toHaveProperty('notes_of_operator');
  });

  it('a damaged ledger is named, and a backup is written all the same', async () => {
    await using site = await createEmptySite(app.env);
    await restoreTo(site);
    const place = path.join(folder, 'damaged');
    await mkdir(place);
    await writeFile(path.join(place, 'ledger.json'), '[{"kind":"acc');
    const env = { ...site.env, BACKUP_TO: place };
    const before = await site.stored();
    await expect(restore(env, file, refuseSecrets)).rejects.toThrow('ledger.json is damaged');
    expect(await site.stored()).toEqual(before);
    const written = path.join(place, 'archive');
    await expect(backUp(env, written, 'backup')).rejects.toThrow('ledger.json is damaged');
    expect(await restoreTo(site, {}, written)).toContain('Restored');
  });
});

describe('a start of a new version', () => {
  it('keeps a restore point before it changes the schema, and none otherwise', async () => {
    await using site = await createEmptySite(app.env);
    expect(await keepPointBeforeUpgrade(site.env)).toBeNull();
    const older = (await knownSteps()).slice(0, -2);
    await site.withDatabase((database) =>
      database.transaction().execute(async (transaction) => {
        await applySteps(transaction, older);
        await sql`
          insert into users (nickname, introduction, profile_image, social_provider)
          values ('haneul', 'before', '', 'LOCAL')`.execute(transaction);
      }),
    );
    const point = await keepPointBeforeUpgrade(site.env);
    expect(point).toContain('/before-upgrade-');
    await site.withDatabase(migrate);
    expect(await keepPointBeforeUpgrade(site.env)).toBeNull();

    await using other = await createEmptySite(app.env);
    await restoreTo(other, {}, String(point));
    const { users, kysely_migration: steps } = await other.stored();
    expect(users).toMatchObject([{ nickname: 'haneul', introduction: 'before' }]);
    expect(steps).toHaveLength(older.length + 2);
  });

  it('does not change the schema when no restore point can be written', async () => {
    await using site = await createEmptySite(app.env);
    const [first = ''] = await knownSteps();
    await site.withDatabase((database) =>
      database.transaction().execute((transaction) => applySteps(transaction, [first])),
    );
    const nowhere = { ...site.env, BACKUP_TO: path.join(file, 'is-no-folder') };
    await expect(keepPointBeforeUpgrade(nowhere)).rejects.toThrow('set BACKUP_TO to another place');
  });
});

describe('after a restore of an older backup', () => {
  it('an account that was deleted since stays deleted', async () => {
    const site = await createTestApp();
    const leaving = await site.newLearner();
    const staying = await site.newLearner();
    const older = path.join(folder, 'with-account');
    await backUp(envOf(site), older, 'backup');
    const { method, path: url } = requestDeletion;
    const headers = leaving.headers;
    const planned = await site.inject({ method, url, payload: { delayDays: 0 }, headers });
    expect(planned.statusCode).toBe(200);
    site.clock.advance(60_000);
    await site.runJob('account deletions');
    await copyLedger(envOf(site));

    // Another machine: its database has never known of the deletion, the folder of backups has.
    await using empty = await createEmptySite(site.env);
    expect(await restoreTo(empty, {}, older)).toContain('1 later deletions');
    const { users } = await empty.stored();
    expect(users).toMatchObject([
      { id: leaving.userId, deletes_at: '-infinity', email: null, password_hash: null },
      { id: staying.userId, deletes_at: null, email: staying.email },
    ]);
    await site.close();
  });

  it('a role that was taken since is not given back', async () => {
    const site = await createTestApp();
    const moderator = await site.newLearner();
    await site.grant(moderator, 'moderator');
    const older = path.join(folder, 'with-role');
    await backUp(envOf(site), older, 'backup');
    await site.grant(moderator, 'member');
    await copyLedger(envOf(site));
    await using empty = await createEmptySite(site.env);
    await restoreTo(empty, {}, older);
    expect((await empty.stored()).users).toMatchObject([{ role: 'member', deletes_at: null }]);
    await site.close();
  });

  it.each(['set', 'lifted'] as const)('a sanction that was %s since is so', async (change) => {
    const site = await createTestApp();
    const { userId } = await site.newLearner();
    const impose = sql`
      insert into sanction (user_id, kind, reason, imposed_at, changed_at)
      values (${userId}, 'ban', 'rudeness', now(), now())`;
    if (change === 'lifted') await impose.execute(site.database);
    const older = path.join(folder, `before-${change}`);
    await backUp(envOf(site), older, 'backup');
    if (change === 'set') await impose.execute(site.database);
    else await sql`update sanction set lifted_at = now()`.execute(site.database);
    await copyLedger(envOf(site));
    await using empty = await createEmptySite(site.env);
    expect(await restoreTo(empty, {}, older)).toContain('1 later');
    const lifted = change === 'set' ? null : expect.any(String);
    expect((await empty.stored()).sanction).toMatchObject([
      { user_id: userId, kind: 'ban', lifted_at: lifted },
    ]);
    await site.close();
  });
});

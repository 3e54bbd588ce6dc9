import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { query } from '../../../test/admin-query.ts';
import { databaseUrl } from '../test/backups.ts';
import { AUTH_SECRET, createTestApp } from '../test/test-app.ts';

test('npm run migrate keeps a restore point and applies what is missing, once', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mogakgong-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const app = await createTestApp();
  onTestFinished(() => app.close());
  const env = {
    DATABASE_URL: databaseUrl(app.databaseName),
    AUTH_SECRET,
    BACKUP_TO: folder,
  };
  const script = path.join(import.meta.dirname, 'migrate.ts');
  const migrate = async () =>
    (await promisify(execFile)(process.execPath, [script], { env })).stdout;
  await query(
    { ...inject('postgres'), database: app.databaseName },
    "delete from kysely_migration where name = '003-breaking-steps'; drop table breaking_step",
  );
  const [point, applied] = (await migrate()).trim().split('\n');
  expect(point).toMatch(/^Kept a restore point before the database changes: .*before-upgrade-/u);
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^before-upgrade-/u)]);
  expect(applied).toBe('Brought the database up to date: 003-breaking-steps');
  expect(await migrate()).toBe('The database was up to date.\n');
});

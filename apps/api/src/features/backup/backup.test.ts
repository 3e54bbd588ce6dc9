import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
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
import { everythingStored } from '../../../test/everything-stored.ts';
import { openTinyDisk } from '../../../test/full-disk.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Env } from '../../platform/env/index.ts';
import { backUp, restore } from './index.ts';

const { app, folder, file, close } = await openArchivedSite();
afterAll(close);

const restoreTo = (site: EmptySite, change: Partial<Env> = {}, from = file) =>
  restore({ ...site.env, ...change }, from, refuseSecrets);

const countTables = (site: EmptySite) =>
  site.withDatabase(async (database) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from pg_tables where schemaname = 'public'`.execute(
      database,
    );
    return rows[0]?.count;
  });

describe('a backup', () => {
  it('of a running site, restored elsewhere, has every row and every picture', async () => {
    await using site = await createEmptySite(app.env);
    expect(await restoreTo(site)).toContain('1 pictures');
    expect(comparable(await site.stored())).toEqual(
      comparable(await everythingStored(app.database)),
    );
    const pictures = await readdir(app.env.IMAGES_DIR);
    for (const name of pictures.filter((found) => found.endsWith('.webp'))) {
      const bytes = await readFile(path.join(site.env.IMAGES_DIR, name));
      expect(bytes).toEqual(await readFile(path.join(app.env.IMAGES_DIR, name)));
    }
  });

  it('can be read by its owner alone, and is not there before it is whole', async () => {
    const { mode } = await stat(file);
    expect(mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).not.toContain('archive.unfinished');
  });

  it('is encrypted with a passphrase, which restoring it needs', async () => {
    const encrypted = path.join(folder, 'encrypted');
    const secret = { BACKUP_PASSPHRASE: 'seven quiet lamps' };
    expect(await backUp(envOf(app, secret), encrypted, 'backup')).not.toContain('not encrypted');
    expect((await readFile(encrypted, 'latin1')).slice(0, 40)).toContain('age-encryption.org');

    // The same with a work factor that takes no second at each try.
    const encrypter = new Encrypter();
    encrypter.setPassphrase(secret.BACKUP_PASSPHRASE);
    encrypter.setScryptWorkFactor(8);
    await writeFile(encrypted, await encrypter.encrypt(await readFile(file)));
    await using site = await createEmptySite(app.env);
    await expect(restoreTo(site, {}, encrypted)).rejects.toThrow('set BACKUP_PASSPHRASE');
    const wrong = { BACKUP_PASSPHRASE: 'seven loud lamps' };
    await expect(restoreTo(site, wrong, encrypted)).rejects.toThrow('cannot be decrypted');
    expect(await countTables(site)).toBe(0);
    expect(await restoreTo(site, secret, encrypted)).toContain('Restored');
  });

  it('is encrypted for a public key, which the site need not be able to read', async () => {
    const identity = await generateX25519Identity();
    const encrypted = path.join(folder, 'for-a-key');
    const recipient = { BACKUP_RECIPIENT: await identityToRecipient(identity) };
    await backUp(envOf(app, recipient), encrypted, 'backup');
    await using site = await createEmptySite(app.env);
    await expect(restoreTo(site, recipient, encrypted)).rejects.toThrow('BACKUP_IDENTITY');
    expect(await restoreTo(site, { BACKUP_IDENTITY: identity }, encrypted)).toContain('Restored');
  });

  it('leaves out a damaged picture and says so, so that it can be restored', async () => {
    const [picture = ''] = (await readdir(app.env.IMAGES_DIR)).filter((name) =>
      name.endsWith('.webp'),
    );
    const place = path.join(app.env.IMAGES_DIR, picture);
    const bytes = await readFile(place);
    await writeFile(place, 'half a pict');
    const archive = path.join(folder, 'damaged');
    expect(await backUp(envOf(app), archive, 'backup')).toContain('1 pictures are missing');
    await writeFile(place, bytes);
    await using site = await createEmptySite(app.env);
    expect(await restoreTo(site, {}, archive)).toContain('Restored');
  });

  it('is of one moment, also while learners write', async () => {
    let isWriting = true;
    const written = (async () => {
      while (isWriting) await app.newLearner();
    })();
    const busy = path.join(folder, 'busy');
    for (const _ of [1, 2, 3]) {
      await backUp(envOf(app), busy, 'backup');
      await using site = await createEmptySite(app.env);
      // Foreign keys are checked once all rows are there.
      expect(await restoreTo(site, {}, busy)).toContain('Restored');
    }
    isWriting = false;
    await written;
  });
});

describe('a full disk', () => {
  /** More than fits between the database and the disk. */
  const storeMuch = (database: Database) =>
    sql`
    insert into chat_message
    select 1, 1, number, 1, number::text, md5(number::text) || repeat(md5(number::text), 8), 'haneul', '', now()
    from generate_series(1000, 40000) as number`.execute(database);

  it('ends a backup with a sentence, and leaves nothing there', async () => {
    using disk = openTinyDisk();
    if (disk === null) return;
    await storeMuch(app.database);
    await expect(backUp(envOf(app), path.join(disk.folder, 'archive'), 'backup')).rejects.toThrow(
      'no space left',
    );
    expect(await readdir(disk.folder)).toEqual([]);
    await using site = await createEmptySite(app.env);
    await restoreTo(site);
    await site.withDatabase(storeMuch);
    const before = await site.stored();
    const env = { ...site.env, BACKUP_TO: disk.folder };
    await expect(restore(env, file, refuseSecrets)).rejects.toThrow('no space left');
    expect(await site.stored()).toEqual(before);
  });

  it('ends a restore that has begun, with everything as it was', async () => {
    using disk = openTinyDisk();
    if (disk === null) return;
    const picture = path.join(disk.folder, 'full');
    await writeFile(picture, Buffer.alloc(16_384)).catch(() => undefined);
    await using site = await createEmptySite(app.env);
    await restoreTo(site);
    const before = await site.stored();
    await expect(restoreTo(site, { IMAGES_DIR: disk.folder })).rejects.toThrow('no space left');
    expect(await site.stored()).toEqual(before);
  });
});

describe('an archive that is', () => {
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut at its end', (bytes) => bytes.subarray(0, -20)],
    ['cut in its middle', (bytes) => bytes.subarray(0, bytes.length >> 1)],
    ['empty', (bytes) => bytes.subarray(0, 0)],
    ['changed', (bytes) => Buffer.from(bytes).fill(7, 3_000, 3_040)],
    ['no archive', () => Buffer.from('a shopping list')],
  ])('%s changes nothing', async (name, damage) => {
    const broken = path.join(folder, name);
    await writeFile(broken, damage(await readFile(file)));
    await using site = await createEmptySite(app.env);
    await restoreTo(site);
    const before = await site.stored();
    await expect(restoreTo(site, {}, broken)).rejects.toThrow('Nothing was changed');
    expect(await site.stored()).toEqual(before);
  });

  it('missing is named', async () => {
    await using site = await createEmptySite(app.env);
    await expect(restoreTo(site, {}, '/nowhere/archive')).rejects.toThrow('/nowhere/archive');
  });
});

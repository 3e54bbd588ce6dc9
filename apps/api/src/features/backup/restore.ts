import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { applySteps, namesOfSteps } from '../../platform/database/index.ts';
import { beginRestoredSite } from '../../platform/site/index.ts';
import { endAllLogIns } from '../auth/index.ts';
import { findPictureNames, notePictures } from '../images/index.ts';
import { BackupError, type Entry } from './archive.ts';
import { liftTimeLimits, queriesOn } from './connection.ts';
import { lastSubjects, mergeLedger, readLedger } from './ledger.ts';
import {
  countRows,
  dropEverything,
  liftForeignKeys,
  raiseSequences,
  readSequences,
  readSteps,
  type Table,
} from './tables.ts';
import {
  type BackupParts,
  CONTENTS,
  type Contents,
  KEYS,
  MANIFEST,
  type Manifest,
  PICTURES,
  refuseNewer,
  TABLES,
} from './write-backup.ts';

/** The archive to restore, readable as often as needed. */
export interface Source {
  read(): AsyncIterable<Entry>;
}

/** The contents of an archive that was read to its end. */
export interface CheckedArchive {
  readonly manifest: Manifest;
  readonly contents: Contents;
  readonly authSecrets: readonly string[];
  /** The names of its pictures. */
  readonly pictures: readonly string[];
}

/** A server notices the end of a process within this time. */
const CLOSING_MS = 2_000;
const LOOK_EVERY_MS = 50;
const NOT_WHOLE = 'The archive is not whole. Nothing was changed.';
const NOT_OURS = 'The archive has tables that are not of Mogakgong. Nothing was changed.';
const tableOf = (name: string) => name.slice(TABLES.length, name.lastIndexOf('/'));
const textOf = ({ bytes }: Entry) => Buffer.from(bytes).toString();

/**
 * Reads all of an archive, and changes nothing.
 * @throws BackupError if it is not whole, or of a newer release.
 */
export async function checkArchive(source: AsyncIterable<Entry>): Promise<CheckedArchive> {
  let manifest: Manifest | null = null;
  let contents: Contents | null = null;
  let authSecrets: readonly string[] = [];
  const rows = new Map<string, number>();
  const pictures: string[] = [];
  for await (const entry of source) {
    const { name, bytes } = entry;
    if (name === MANIFEST) manifest = readManifest(entry);
    else if (name === CONTENTS) contents = JSON.parse(textOf(entry)) as Contents;
    else if (name === KEYS) authSecrets = textOf(entry).split('\n');
    else if (name.startsWith(TABLES)) {
      rows.set(tableOf(name), (rows.get(tableOf(name)) ?? 0) + countRows(bytes));
    } else if (name.startsWith(PICTURES)) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      if (name !== `${PICTURES}${hash}.webp`) throw new BackupError(NOT_WHOLE);
      pictures.push(name.slice(PICTURES.length));
    } else {
      throw new BackupError(`The archive has a file that it should not have: ${name}.`);
    }
  }
  if (!manifest?.steps.length || !contents || authSecrets.length === 0)
    throw new BackupError(NOT_WHOLE);
  const isWhole =
    pictures.length === contents.pictures &&
    manifest.tables.every(({ name }) => (rows.get(name) ?? 0) === contents.rows[name]);
  if (!isWhole) throw new BackupError(NOT_WHOLE);
  await refuseNewer(manifest.steps, 'archive');
  return { manifest, contents, authSecrets, pictures };
}

function readManifest(entry: Entry): Manifest {
  const manifest = JSON.parse(textOf(entry)) as Manifest;
  if (manifest.format === 1) return manifest;
  throw new BackupError('The archive has a format of a newer version of Mogakgong.');
}

/**
 * Waits for the end of connections that were just closed.
 * @throws BackupError while any other process of the product uses the database.
 */
export async function refuseBesideProcesses(client: pg.Client): Promise<void> {
  const endMs = performance.now() + CLOSING_MS;
  do {
    // A transaction sees the same list as at first otherwise.
    await client.query('select pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and application_name = 'mogakgong'`,
    );
    if (rows[0]?.count === 0) return;
    await delay(LOOK_EVERY_MS);
  } while (performance.now() < endMs);
  throw new BackupError(
    'Processes of the product use this database: stop all of them first. Nothing was changed.',
  );
}

export interface Restored {
  /** Changes of the ledger that were made again. */
  readonly repeated: number;
}

/**
 * Puts what an archive holds in the place of everything: in one transaction, so that a failure or a killed process
 * leaves everything as it was. Accounts that were deleted, and sanctions that were changed, after the backup stay so.
 * Every log-in ends.
 */
export async function restoreArchive(
  parts: BackupParts,
  source: Source,
  { manifest, contents, pictures }: CheckedArchive,
): Promise<Restored> {
  const { client, place } = parts;
  await refuseBesideProcesses(client);
  const own = await namesOfSteps(queriesOn(client));
  const foreign = manifest.tables.filter(({ name }) => !own.has(name));
  if (foreign.length > 0) throw new BackupError(NOT_OURS);
  const isEmpty = (await readSteps(client)).length === 0;
  const before = isEmpty ? [] : await findPictureNames(client);
  // They are stored before the end of the transaction: if it fails, the sweep removes those that nobody has.
  if (!isEmpty) await notePictures(client, pictures);
  const restored = await queriesOn(client)
    .transaction()
    .execute(async (transaction) => {
      await liftTimeLimits(client);
      await client.query("set local mogakgong.is_restoring = 'on'");
      const given = isEmpty ? {} : await readSequences(client);
      const ledger = await readLedger(place, isEmpty ? null : transaction);
      await dropEverything(client, own);
      await applySteps(transaction, manifest.steps);
      await fill(parts, source, { manifest, contents });
      await raiseSequences(client, manifest.sequences);
      await raiseSequences(client, given);
      await applySteps(transaction);
      await notePictures(client, before);
      const repeated = await mergeLedger(transaction, ledger);
      await raiseSequences(client, lastSubjects(ledger));
      await endAllLogIns(transaction);
      await beginRestoredSite(transaction);
      await refuseBesideProcesses(client);
      return { repeated };
    });
  // Good plans from the first minute, when everybody logs in.
  await client.query('analyze').catch(() => {
    // The server does it by itself, later.
  });
  return restored;
}

/**
 * Reads the archive into empty tables, and into the storage of pictures: they have the names of their bytes, so that one
 * more changes nothing.
 */
async function fill(
  { client, images }: BackupParts,
  source: Source,
  { manifest, contents }: Pick<CheckedArchive, 'manifest' | 'contents'>,
): Promise<void> {
  const putKeysBack = await liftForeignKeys(client);
  // Rows that the steps of the schema made.
  for (const { name } of manifest.tables) {
    await client.query(`delete from ${client.escapeIdentifier(name)}`);
  }
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  let filling = undefined as Filling | undefined;
  try {
    for await (const { name, bytes } of source.read()) {
      if (name.startsWith(PICTURES)) await images.put(name.slice(PICTURES.length), bytes);
      if (!name.startsWith(TABLES)) continue;
      const table = tables.get(tableOf(name));
      if (!table) throw new BackupError(NOT_WHOLE);
      // The pieces of a table stand together.
      if (filling?.table !== table) {
        await filling?.end();
        filling = fillTable(client, table);
      }
      await filling.write(bytes);
    }
    await filling?.end();
  } catch (error) {
    // A rollback would wait for the end of the COPY.
    await filling?.cancel();
    throw error;
  }
  for (const { name } of manifest.tables) {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from ${client.escapeIdentifier(name)}`,
    );
    if (Number(rows[0]?.count) !== contents.rows[name]) throw new BackupError(NOT_WHOLE);
  }
  await putKeysBack();
}

interface Filling {
  readonly table: Table;
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
  cancel(): Promise<void>;
}

function fillTable(client: pg.Client, table: Table): Filling {
  const { name, columns } = table;
  const list = columns.map((column) => client.escapeIdentifier(column)).join();
  const copy = client.query(copyFrom(`copy ${client.escapeIdentifier(name)} (${list}) from stdin`));
  const done = finished(copy);
  // A failed write rejects `done`, which `end` waits for.
  done.catch(() => undefined);
  return {
    table,
    async write(bytes) {
      if (!copy.write(bytes)) await Promise.race([once(copy, 'drain'), done]);
    },
    async end() {
      copy.end();
      await done;
    },
    async cancel() {
      copy.destroy(new Error('the restore has failed'));
      // With this error.
      await done.catch(() => undefined);
    },
  };
}

import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { knownSteps, namesOfSteps } from '../../platform/database/index.ts';
import type { Env } from '../../platform/env/index.ts';
import { findPictureNames, type ImageStore } from '../images/index.ts';
import { BackupError, type Entry, packArchive } from './archive.ts';
import { liftTimeLimits, queriesOn } from './connection.ts';
import type { Place } from './place.ts';
import { countRows, readSequences, readSteps, readTables, type Table } from './tables.ts';

/** The first file of an archive: what it holds. */
export interface Manifest {
  readonly format: 1;
  /** The time of its snapshot, by the clock of the database. */
  readonly takenAt: string;
  /** The steps of its schema. */
  readonly steps: readonly string[];
  readonly tables: readonly Table[];
  readonly sequences: Readonly<Record<string, number>>;
}

/** The last file of an archive: without it the archive is not whole. */
export interface Contents {
  readonly rows: Readonly<Record<string, number>>;
  readonly pictures: number;
  /** Pictures without bytes. */
  readonly missing: number;
}

export const MANIFEST = 'manifest.json';
export const CONTENTS = 'contents.json';
export const KEYS = 'keys/auth-secret';
export const TABLES = 'tables/';
export const PICTURES = 'pictures/';

const PIECE_BYTES = 1024 * 1024;

/** The parts of a backup and of a restore; `client` is a connection of its own, beside any pool. */
export interface BackupParts {
  readonly env: Env;
  readonly client: pg.Client;
  readonly images: ImageStore;
  readonly place: Place;
}

export class BackupUnderWayError extends BackupError {
  constructor() {
    super('Another backup is being written: wait for its end.');
  }
}

const json = (name: string, value: object): Entry => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value, null, 1)}\n`),
});

/** @throws BackupError if any step is one of a newer release: this one would leave out its tables. */
export async function refuseNewer(
  steps: readonly string[],
  what: 'archive' | 'database',
): Promise<void> {
  const known = new Set(await knownSteps());
  const newer = steps.filter((step) => !known.has(step));
  if (newer.length === 0) return;
  throw new BackupError(
    `The ${what} was made by a newer version of Mogakgong: this one does not know ${newer.join(', ')}. Use that version.`,
  );
}

/**
 * Writes an archive of everything, as it is at one moment, while the product runs.
 * @returns null for a database without a schema.
 * @throws BackupUnderWayError
 */
export async function writeBackup(parts: BackupParts, name: string): Promise<Contents | null> {
  const { client, place } = parts;
  const tables = await readTables(client, await namesOfSteps(queriesOn(client)));
  // PgBouncer keeps a transaction on one connection. After a failure the caller ends it: a rollback would wait for the
  // end of a COPY that nobody reads any more.
  await client.query('begin isolation level repeatable read read only');
  await liftTimeLimits(client);
  // Before the snapshot: a table that another process rewrites after it would look empty.
  const names = tables.map((table) => client.escapeIdentifier(table.name));
  if (names.length > 0) await client.query(`lock table ${names.join()} in access share mode`);
  const { rows } = await client.query<{ isFree: boolean; takenAt: Date }>(
    `select pg_try_advisory_xact_lock(hashtext('mogakgong backup')) as "isFree", now() as "takenAt"`,
  );
  const [{ isFree, takenAt } = { isFree: false, takenAt: new Date() }] = rows;
  if (!isFree) {
    await client.query('rollback');
    throw new BackupUnderWayError();
  }
  await place.removeUnfinished();
  const steps = await readSteps(client);
  await refuseNewer(steps, 'database');
  const contents =
    steps.length === 0 ? null : await writeArchive(parts, name, { steps, takenAt, tables });
  await client.query('rollback');
  return contents;
}

async function writeArchive(
  parts: BackupParts,
  name: string,
  about: Pick<Manifest, 'steps' | 'tables'> & { readonly takenAt: Date },
): Promise<Contents | null> {
  const { client, env, place } = parts;
  const manifest: Manifest = {
    format: 1,
    takenAt: about.takenAt.toISOString(),
    steps: about.steps,
    tables: about.tables,
    sequences: await readSequences(client),
  };
  const written: { contents: Contents | null } = { contents: null };
  const entries = readEntries(parts, manifest, (contents) => {
    written.contents = contents;
  });
  await place.write(name, await packArchive(entries, env)).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : error;
    throw new BackupError(`No backup could be written to ${place.about}: ${why}.`);
  });
  return written.contents;
}

async function* readEntries(
  { client, env, images }: BackupParts,
  manifest: Manifest,
  onEnd: (contents: Contents) => void,
): AsyncGenerator<Entry> {
  yield json(MANIFEST, manifest);
  yield { name: KEYS, bytes: Buffer.from(env.AUTH_SECRET.join('\n')) };
  const rows: Record<string, number> = {};
  for (const table of manifest.tables) {
    rows[table.name] = yield* readRows(client, table);
  }
  let pictures = 0;
  let missing = 0;
  for (const name of await findPictureNames(client)) {
    const bytes = await images.get(name);
    if (bytes) yield { name: PICTURES + name, bytes };
    pictures += Number(bytes !== null);
    missing += Number(bytes === null);
  }
  const contents = { rows, pictures, missing };
  yield json(CONTENTS, contents);
  onEnd(contents);
}

/** The rows of a table in PostgreSQL's text format, in pieces; returns their number. */
async function* readRows(
  client: pg.Client,
  { name, columns }: Table,
): AsyncGenerator<Entry, number> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join();
  const copy = client.query(copyTo(`copy ${client.escapeIdentifier(name)} (${list}) to stdout`));
  let chunks: Buffer[] = [];
  let size = 0;
  let number = 0;
  let rows = 0;
  const piece = (): Entry => {
    number += 1;
    const bytes = Buffer.concat(chunks);
    chunks = [];
    size = 0;
    return { name: `${TABLES}${name}/${String(number).padStart(8, '0')}`, bytes };
  };
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // The number that the server tells may come after the end of the stream.
    rows += countRows(chunk);
    if (size >= PIECE_BYTES) yield piece();
  }
  if (size > 0) yield piece();
  return rows;
}

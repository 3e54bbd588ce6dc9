import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { knownSteps } from '../../platform/database/index.ts';
import { type Env, typedPath } from '../../platform/env/index.ts';
import { createImageStore } from '../images/index.ts';
import { BackupError, isEncrypted, readArchive } from './archive.ts';
import { connect, queriesOn } from './connection.ts';
import { keepLedger } from './ledger.ts';
import { nameOf, type Occasion } from './names.ts';
import type { Place } from './place.ts';
import { createPlace, splitFile } from './places.ts';
import { checkArchive, refuseBesideProcesses, restoreArchive } from './restore.ts';
import { readSteps } from './tables.ts';
import {
  type BackupParts,
  BackupUnderWayError,
  type Contents,
  writeBackup,
} from './write-backup.ts';

const UNENCRYPTED =
  'It is not encrypted and holds the keys of the site: set BACKUP_PASSPHRASE or BACKUP_RECIPIENT, or keep it where nobody else reads.';

const SECRETS_ARE_BACK =
  'A secret of the archive is behind those of AUTH_SECRET now: `npm run admin -- secrets prune` removes it once nothing needs it. If it has leaked, do that soon.';

const noLedger = ({ about }: Place) =>
  `Without a ledger.json in ${about} accounts that were deleted after the backup are back: take it along from the old place.`;

const ASK_AGAIN_MS = 500;

const asTyped = (address: string) => (address.startsWith('s3://') ? address : typedPath(address));

const sum = ({ rows }: Contents) => Object.values(rows).reduce((total, count) => total + count, 0);

async function withParts<T>(env: Env, work: (parts: BackupParts) => Promise<T>): Promise<T> {
  const client = await connect(env);
  try {
    const place = createPlace(env.BACKUP_TO, env);
    return await work({ env, client, place, images: createImageStore(env) });
  } finally {
    await client.end();
  }
}

/** Copies the ledger of the database into BACKUP_TO. */
export const copyLedger = (env: Env): Promise<void> =>
  withParts(env, ({ place, client }) => keepLedger(place, queriesOn(client), new Date()));

/** Writes an archive of what is there now into BACKUP_TO; null if nothing is there. */
async function keepPoint(parts: BackupParts, occasion: Occasion): Promise<string | null> {
  const name = nameOf(occasion, new Date(), parts.env);
  const contents = await writeBackup(parts, name);
  return contents && parts.place.about + name;
}

/**
 * `npm run backup`: writes an archive to a file, or without one into BACKUP_TO.
 * @returns what to print.
 * @throws BackupError.
 */
export const backUp = (env: Env, file: string | undefined, occasion: Occasion): Promise<string> =>
  withParts(env, async (parts) => {
    const { place, name } =
      file === undefined
        ? { place: parts.place, name: nameOf(occasion, new Date(), env) }
        : splitFile(asTyped(file), env);
    const contents = await writeBackup({ ...parts, place }, name);
    if (!contents) throw new BackupError('The database is empty: there is nothing to back up.');
    const text = [
      `${place.about}${name}: ${sum(contents)} rows, ${contents.pictures} pictures.`,
      ...(contents.missing > 0 ? [`${contents.missing} pictures are missing in the storage.`] : []),
      ...(isEncrypted(env) ? [] : [UNENCRYPTED]),
    ].join('\n');
    await keepLedger(parts.place, queriesOn(parts.client), new Date()).catch((error: unknown) => {
      throw new BackupError(`${text}\n${error instanceof Error ? error.message : error}`);
    });
    return text;
  });

/**
 * A restore point before the schema is changed. It waits for the end of any other backup.
 * @returns where it is; null if nothing would change.
 */
export const keepPointBeforeUpgrade = (env: Env): Promise<string | null> =>
  withParts(env, async (parts) => {
    for (;;) {
      const applied = await readSteps(parts.client);
      const isUpToDate = (await knownSteps()).every((step) => applied.includes(step));
      if (isUpToDate || applied.length === 0) return null;
      try {
        return await keepPoint(parts, 'before-upgrade');
      } catch (error) {
        if (!(error instanceof BackupUnderWayError)) throw withAdvice(error);
        await delay(ASK_AGAIN_MS);
      }
    }
  });

const withAdvice = (error: unknown) =>
  new BackupError(
    `The database is not changed without a restore point. ${error instanceof Error ? error.message : error} Make room there, or set BACKUP_TO to another place.`,
  );

/**
 * `npm run restore`: puts what an archive holds in the place of everything.
 * @param keepSecrets is given secrets that the archive needs and AUTH_SECRET lacks, before anything is changed.
 * @returns what to print.
 * @throws BackupError, with everything as it was.
 */
export const restore = (
  env: Env,
  file: string,
  keepSecrets: (secrets: readonly string[]) => Promise<void>,
): Promise<string> =>
  withParts(env, async (parts) => {
    const { place, name } = splitFile(asTyped(file), env);
    await refuseBesideProcesses(parts.client);
    const source = { read: () => readFrom(place, name, env) };
    const archive = await checkArchive(source.read());
    const missing = archive.authSecrets.filter((secret) => !env.AUTH_SECRET.includes(secret));
    if (missing.length > 0) await keepSecrets(missing);
    const point = await keepPoint(parts, 'before-restore');
    const { repeated } = await restoreArchive(parts, source, archive);
    const { manifest, contents } = archive;
    return [
      `Restored the state of ${manifest.takenAt}: ${sum(contents)} rows, ${contents.pictures} pictures.`,
      `${repeated} later deletions of accounts and changes of sanctions were made again, as ${parts.place.about} has them.`,
      ...(point === null && repeated === 0 ? [noLedger(parts.place)] : []),
      ...(point === null ? [] : [`The state before is in ${point}.`]),
      'Everybody logs in again.',
      ...(missing.length > 0 ? [SECRETS_ARE_BACK] : []),
    ].join('\n');
  });

async function* readFrom(place: Place, name: string, env: Env) {
  const bytes = await place.read(name);
  if (!bytes) throw new BackupError(`There is no ${place.about}${name}.`);
  yield* readArchive(bytes, env);
}

/** Asks the process that started this one to keep secrets: it knows where they are. */
export async function askToKeepSecrets(secrets: readonly string[]): Promise<void> {
  const answer = process.send ? once(process, 'message') : [false];
  process.send?.(secrets);
  const [isKept] = await answer;
  if (isKept === true) return;
  throw new BackupError(
    'The archive was made with another AUTH_SECRET, without which nobody passes their second factor. It is the file keys/auth-secret of the archive: put it behind your own in AUTH_SECRET, with a comma between them. Nothing was changed.',
  );
}

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { ProcessContext } from '../context/index.ts';
import { deriveKey } from './derived-keys.ts';
import { open, seal } from './sealing.ts';

const KEY_BYTES = 32;
const PURPOSES = ['second factor', 'media servers', 'sanctioned e-mails', 'web push'] as const;
export type KeyPurpose = (typeof PURPOSES)[number];

export type SiteKeysParts = Pick<ProcessContext, 'database' | 'authSecrets'>;

interface StoredKey {
  readonly purpose: KeyPurpose;
  readonly number: number;
  /** Whether it is older than any statement that was under way when it was made. */
  readonly isSettled: boolean;
}

/** A key of the table, with the secret that sealed it. */
export interface SiteKey extends StoredKey {
  readonly secret: string;
  readonly key: Uint8Array;
}

/** The key that seals the keys of a purpose. */
const sealingKey = (secret: string) => deriveKey(secret, 'site keys');

interface FoundKeys {
  readonly opened: readonly SiteKey[];
  /** Those that no secret of AUTH_SECRET opens. */
  readonly lost: readonly StoredKey[];
}

/** All stored keys, newest first. */
export async function findSiteKeys({ database, authSecrets }: SiteKeysParts): Promise<FoundKeys> {
  const { rows } = await sql<StoredKey & { sealedKey: Buffer }>`
    select purpose, number, sealed_key as "sealedKey",
           created_at < now() - interval '1 minute' as "isSettled"
    from site_key order by purpose, number desc`.execute(database);
  const opened: SiteKey[] = [];
  const lost: StoredKey[] = [];
  for (const { sealedKey, ...stored } of rows) {
    const found = authSecrets
      .map((secret) => ({ secret, key: open(sealingKey(secret), sealedKey, stored.purpose) }))
      .find(({ key }) => key !== null);
    if (found?.key) opened.push({ ...stored, secret: found.secret, key: found.key });
    else lost.push(stored);
  }
  return { opened, lost };
}

/**
 * The keys of a purpose, newest first.
 * @throws Error if no secret of AUTH_SECRET opens one.
 */
export async function readSiteKeys(parts: SiteKeysParts, purpose: KeyPurpose) {
  const { opened } = await findSiteKeys(parts);
  const [newest, ...older] = opened.filter((each) => each.purpose === purpose);
  if (!newest) throw new Error(`AUTH_SECRET opens no key for ${purpose}: put the old one back.`);
  return [newest, ...older] as const;
}

/** Forgets keys that no row needs. */
export async function deleteSiteKeys({ database }: SiteKeysParts, keys: readonly SiteKey[]) {
  for (const { purpose, number } of keys) {
    await sql`
      delete from site_key where purpose = ${purpose} and number = ${number}`.execute(database);
  }
}

/** The highest number of a purpose; 0 without a key. */
const lastNumber = ({ opened, lost }: FoundKeys, purpose: KeyPurpose) =>
  Math.max(
    0,
    ...[...opened, ...lost].filter((key) => key.purpose === purpose).map((key) => key.number),
  );

/** Stores a key, unless another process stored one with this number. */
async function insert(
  { database, authSecrets }: SiteKeysParts,
  { purpose, number, key }: Pick<SiteKey, 'purpose' | 'number' | 'key'>,
): Promise<void> {
  const sealedKey = seal(sealingKey(authSecrets[0]), key, purpose);
  await sql`
    insert into site_key (purpose, number, sealed_key) values (${purpose}, ${number}, ${sealedKey})
    on conflict do nothing`.execute(database);
}

/**
 * Makes the first keys of a database: those that releases without the table derived from AUTH_SECRET, so that
 * their rows stay readable, and they can run beside this one.
 */
export async function ensureSiteKeys(parts: SiteKeysParts): Promise<FoundKeys> {
  const stored = await findSiteKeys(parts);
  const missing = PURPOSES.filter((purpose) => lastNumber(stored, purpose) === 0);
  const oldestFirst = parts.authSecrets.toReversed();
  for (const purpose of missing) {
    for (const [index, secret] of oldestFirst.entries()) {
      await insert(parts, { purpose, number: index + 1, key: deriveKey(secret, purpose) });
    }
  }
  return missing.length === 0 ? stored : findSiteKeys(parts);
}

/**
 * At the start of a process: when the first secret is another than before, each purpose gets a new key, and the
 * older keys are sealed with that secret as well, so that nothing stored needs the others.
 */
export async function renewSiteKeys(
  parts: SiteKeysParts & Pick<ProcessContext, 'logger'>,
): Promise<void> {
  const stored = await ensureSiteKeys(parts);
  const { opened, lost } = stored;
  const [first] = parts.authSecrets;
  for (const purpose of PURPOSES) {
    const newest = opened.find((each) => each.purpose === purpose);
    if (newest?.secret === first) continue;
    const number = lastNumber(stored, purpose) + 1;
    await insert(parts, { purpose, number, key: randomBytes(KEY_BYTES) });
  }
  for (const { purpose, number, key, secret } of opened) {
    if (secret === first) continue;
    await sql`
      update site_key set sealed_key = ${seal(sealingKey(first), key, purpose)}
      where purpose = ${purpose} and number = ${number}`.execute(parts.database);
  }
  for (const { purpose, number } of lost) {
    parts.logger.error(
      { purpose, number },
      'AUTH_SECRET lacks the secret that sealed a key: put it back at the end',
    );
  }
}

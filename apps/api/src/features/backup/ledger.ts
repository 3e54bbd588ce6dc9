import { DAY_MS } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, deleteInSlices } from '../../platform/database/index.ts';
import { repeatAccountChanges } from '../privacy/index.ts';
import { repeatSanctions } from '../sanctions/index.ts';
import { BackupError } from './archive.ts';
import type { Place } from './place.ts';
import { readText } from './places.ts';

const FILE = 'ledger.json';
/** Older backups cannot be restored without bringing back what was deleted after them. */
export const LEDGER_DAYS = 400;

/** The latest state of an account or a sanction that restoring an older backup must not undo; as in the table. */
interface LedgerEntry {
  readonly kind: 'account' | 'sanction';
  readonly subjectId: number;
  readonly madeAt: string;
  readonly state: object;
  readonly changedAt: string;
}

const asEntry = sql`jsonb_build_object(
  'kind', kind, 'subjectId', subject_id, 'madeAt', made_at, 'state', state, 'changedAt', changed_at)`;

// The time is written in the time zone of a session.
const keyOf = ({ kind, subjectId, madeAt }: LedgerEntry) =>
  `${kind} ${subjectId} ${Date.parse(madeAt)}`;

/** Of each subject the entry that was changed last. */
function latest(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const byKey = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const other = byKey.get(keyOf(entry));
    if (!other || Date.parse(other.changedAt) < Date.parse(entry.changedAt)) {
      byKey.set(keyOf(entry), entry);
    }
  }
  return [...byKey.values()];
}

async function readTable(database: Database): Promise<LedgerEntry[]> {
  const { rows: tables } = await sql<{ isThere: boolean }>`
    select to_regclass('ledger') is not null as "isThere"`.execute(database);
  if (!tables[0]?.isThere) return [];
  const { rows } = await sql<{ entry: LedgerEntry }>`
    select ${asEntry} as entry from ledger`.execute(database);
  return rows.map(({ entry }) => entry);
}

/** @throws BackupError for a damaged file. */
async function readFile(place: Place): Promise<LedgerEntry[]> {
  const text = (await readText(place, FILE)) ?? '[]';
  try {
    return JSON.parse(text) as LedgerEntry[];
  } catch {
    throw new BackupError(
      `${place.about}${FILE} is damaged. It says which accounts must stay deleted: repair it, or take it away to do without its entries. Nothing was changed.`,
    );
  }
}

/** The ledger beside the backups, together with that of the database, if there is one. */
export async function readLedger(
  place: Place,
  database: Database | null,
): Promise<readonly LedgerEntry[]> {
  return latest([...(await readFile(place)), ...(database ? await readTable(database) : [])]);
}

/** Does something whenever the ledger has changed since the last time. */
export function whenLedgerChanged(database: Database, work: () => Promise<void>) {
  let known: string | undefined;
  return async (): Promise<void> => {
    const { rows } = await sql<{ state: string }>`
      select count(*) || ' ' || coalesce(max(changed_at)::text, '') as state from ledger`.execute(
      database,
    );
    const [{ state } = { state: '' }] = rows;
    if (state === known) return;
    await work();
    known = state;
  };
}

/**
 * Copies the ledger of the database beside the backups. What is there is kept: of the database that was lost, where a new
 * one was started in its place.
 */
export async function keepLedger(place: Place, database: Database, now: Date): Promise<void> {
  const kept = await readFile(place);
  const since = now.getTime() - LEDGER_DAYS * DAY_MS;
  const entries = latest([...kept, ...(await readTable(database))]).filter(
    ({ changedAt }) => Date.parse(changedAt) > since,
  );
  const text = `${JSON.stringify(entries)}\n`;
  if (text === `${JSON.stringify(kept)}\n`) return;
  await place.writeText(FILE, text);
}

/**
 * Makes later changes of the ledger again in a restored database.
 * @returns how many.
 */
export async function mergeLedger(
  database: Database,
  ledger: readonly LedgerEntry[],
): Promise<number> {
  const { rows } = await sql<{ entry: LedgerEntry }>`
    insert into ledger (kind, subject_id, made_at, state, changed_at)
    select entry ->> 'kind', (entry ->> 'subjectId')::bigint, (entry ->> 'madeAt')::timestamptz,
      entry -> 'state', (entry ->> 'changedAt')::timestamptz
    from jsonb_array_elements(${JSON.stringify(ledger)}::jsonb) as entry
    on conflict (kind, subject_id, made_at)
    do update set state = excluded.state, changed_at = excluded.changed_at
    where excluded.changed_at > ledger.changed_at
    returning ${asEntry} as entry`.execute(database);
  const later = rows.map(({ entry }) => entry);
  await repeatAccountChanges(
    database,
    later.filter(({ kind }) => kind === 'account'),
  );
  await repeatSanctions(
    database,
    later.filter(({ kind }) => kind === 'sanction'),
  );
  return later.length;
}

/** The last number that each sequence has given to a subject. */
export function lastSubjects(ledger: readonly LedgerEntry[]): Record<string, number> {
  const last = { users_id_seq: 0, sanction_id_seq: 0 };
  for (const { kind, subjectId } of ledger) {
    const sequence = kind === 'account' ? 'users_id_seq' : 'sanction_id_seq';
    last[sequence] = Math.max(last[sequence], subjectId);
  }
  return last;
}

/** Forgets entries that no backup needs. */
export async function forgetOldEntries(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LEDGER_DAYS * DAY_MS);
  await deleteInSlices(database, 'ledger', sql`changed_at < ${before}`);
}

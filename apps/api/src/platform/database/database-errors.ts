import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseTimeoutError } from './bounded-client.ts';
import { isStalePlan } from './prepared-statements.ts';

const UNIQUE_VIOLATION = '23505';

/** The name of the violated unique constraint or index of an insert, or null for any other error. */
export function brokenUniqueName(error: unknown): string | null {
  const isUnique = error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
  return isUnique ? (error.constraint ?? null) : null;
}

/**
 * Deadlock, and serialization failure: PostgreSQL rolled the work back because of a concurrent transaction.
 */
const CONFLICTS: ReadonlySet<string | undefined> = new Set(['40P01', '40001']);

const isConflict = (error: unknown) =>
  error instanceof pg.DatabaseError && (CONFLICTS.has(error.code) || isStalePlan(error));

/** The other transaction needs a moment to take the lock it waited for. */
const RETRY_CONFLICT_AFTER_MS = 50;

/**
 * Repeats a statement or transaction that was rolled back because of a concurrent one: its locks, or its
 * change of a table. Runs it twice in all unless `tries` says otherwise.
 */
export async function retryConflict<Result>(
  work: () => Promise<Result>,
  tries = 2,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (tries === 1 || !isConflict(error)) throw error;
    await delay(RETRY_CONFLICT_AFTER_MS * (0.5 + Math.random()));
    return retryConflict(work, tries - 1);
  }
}

/** Class 57P: the server is stopping, or an administrator has ended the connection. */
const STOPPED_BY_SERVER = /^57P0[1-3]$/u;

/** A network that broke or leads nowhere; a failing file has other codes. */
const NETWORK_ERROR = /^(?:ECONN\w+|EPIPE|EHOST\w+|ENET\w+|EADDR\w+|ETIMEDOUT|ENOTFOUND|EAI_\w+)$/u;

/**
 * Whether a statement failed because its connection broke: it may or may not have been carried out, so only
 * idempotent work may be repeated.
 */
function isConnectionLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return STOPPED_BY_SERVER.test(error.code ?? '');
  if (!(error instanceof Error) || error instanceof DatabaseTimeoutError) return false;
  // Where a name has several addresses, one error joins those of all.
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  // Errors of pg itself have no code.
  const isBroken = /^Connection terminated|^Client .* not queryable$/u.test(error.message);
  // A system call of ours: a client that breaks off its request has such a code as well.
  const isOurCall = 'syscall' in error && 'code' in error;
  return isBroken || (isOurCall && NETWORK_ERROR.test(String(error.code)));
}

/** Connections often break together: after this time it is known which ones. */
const RETRY_LOST_AFTER_MS = 50;

/**
 * Runs idempotent work up to three times: again if its connection broke before the answer, and at once after
 * another failure that a second try settles.
 */
export async function retryLost<Result>(
  work: () => Promise<Result>,
  isToBeRepeated: (error: unknown) => boolean = () => false,
  tries = 3,
): Promise<Result> {
  try {
    return await retryConflict(work);
  } catch (error) {
    const isLost = isConnectionLost(error);
    if (tries === 1 || !(isLost || isToBeRepeated(error))) throw error;
    if (isLost) await delay(RETRY_LOST_AFTER_MS);
    return retryLost(work, isToBeRepeated, tries - 1);
  }
}

/**
 * SQLSTATE classes 08 (connection) and 53 (resources: connections, memory, disk), a statement or transaction
 * over its time limit, a write in read-only mode, and 57P: the server stops or starts.
 */
const UNAVAILABLE = /^(?:08|53)|^57014$|^25P03$|^25006$|^57P0/u;

/** Whether work failed because the database is unavailable: it can be retried later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  return error instanceof DatabaseTimeoutError || isConnectionLost(error);
}

const FOREIGN_KEY_VIOLATION = '23503';

/** Whether an insert referred to a row that does not exist. */
export function isForeignKeyBroken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === FOREIGN_KEY_VIOLATION;
}

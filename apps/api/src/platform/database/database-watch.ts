import pg from 'pg';
import type { Logger } from '../logger/index.ts';
import { DatabaseTimeoutError, destroyConnection, unlessWithin } from './bounded-client.ts';
import type { PooledDatabase } from './database.ts';

/** Interval for calls of `check`: a loss is known within this and twice the next. */
export const CHECK_DATABASE_EVERY_MS = 500;
/** Two silent connections and the wait before them stay below 3 s, the limit for noticing a loss. */
const ANSWERS_WITHIN_MS = 1_000;
/**
 * Opening a session takes several round trips; while none is open there is time to wait for a slow server.
 */
const OPENS_WITHIN_MS = { inUse: ANSWERS_WITHIN_MS, lost: 2_000 };
/** Settings of a database or a role apply to new sessions only: maximum age of our session. */
const SESSION_AGE_MS = 1_500;

/** Whether the database serves, seen through separate connections. */
export interface DatabaseWatch {
  /** Result of the last check. */
  readonly isUp: boolean;
  /**
   * Queries through the connection of an earlier check, and through a new one if that does not answer, is
   * old, or nothing worked before. If earlier connections are no longer usable (silent, read-only, to another
   * server), the pool replaces its own. Takes 2 s at most, never throws.
   */
  check(): Promise<void>;
  close(): void;
}

export function watchDatabase({ connections }: PooledDatabase, logger: Logger): DatabaseWatch {
  let session: Session | null = null;
  let server: string | null = null;
  /** Since when it is unusable. */
  let lostMs: number | null = null;

  function lose(error: Error): void {
    if (lostMs === null) logger.warn({ err: error }, 'the database cannot be used');
    lostMs ??= performance.now();
    // A caller on a silent connection gets an error and releases it.
    if (error instanceof DatabaseTimeoutError) connections.replaceAll();
  }

  /** Opens a session to replace `old`, which has just answered if it is trusted. */
  async function renew(old: Session | null, isOldTrusted: boolean): Promise<void> {
    try {
      const withinMs = lostMs === null ? OPENS_WITHIN_MS.inUse : OPENS_WITHIN_MS.lost;
      session = await openSession(connections.config, withinMs);
    } catch (error) {
      // A busy server is slow to open sessions, but answers on open ones.
      if (old && isOldTrusted && error instanceof DatabaseTimeoutError) return;
      session = null;
      lose(error as Error);
      return;
    } finally {
      if (session !== old) old?.close();
    }
    const isOtherServer = server !== null && server !== session.server;
    if (!isOldTrusted || isOtherServer || lostMs !== null) connections.replaceAll();
    server = session.server;
    if (lostMs === null) return;
    logger.info({ awayMs: Math.round(performance.now() - lostMs) }, 'the database is back');
    lostMs = null;
  }

  return {
    get isUp() {
      return lostMs === null;
    },
    async check() {
      const old = session;
      const isOldTrusted = old === null || (await old.isUsable());
      if (old && isOldTrusted && performance.now() - old.openedMs < SESSION_AGE_MS) return;
      await renew(old, isOldTrusted);
    },
    close() {
      session?.close();
    },
  };
}

interface Session {
  readonly openedMs: number;
  /** Distinguishes servers that replace each other at one address. */
  readonly server: string;
  isUsable(): Promise<boolean>;
  close(): void;
}

const STATE = `
  select current_setting('transaction_read_only')::boolean as "isReadOnly",
         pg_postmaster_start_time()::text as server`;

async function openSession(config: pg.ClientConfig, withinMs: number): Promise<Session> {
  const client = new pg.Client(config);
  // The next query on a broken connection fails.
  client.on('error', () => undefined);
  const ask = async () => {
    const { rows } = await client.query(STATE);
    const [state] = rows as [{ readonly isReadOnly: boolean; readonly server: string }];
    if (state.isReadOnly) throw new Error('the database is read-only');
    return state.server;
  };
  const openedMs = performance.now();
  try {
    const server = await within(withinMs, client, async () => {
      await client.connect();
      return ask();
    });
    return {
      openedMs,
      server,
      isUsable: () =>
        within(ANSWERS_WITHIN_MS, client, ask).then(
          () => true,
          () => false,
        ),
      close: () => destroyConnection(client),
    };
  } catch (error) {
    destroyConnection(client);
    throw error;
  }
}

/** Destroys a connection if `work` on it is not done in time, whatever pg does. */
function within<Result>(
  ms: number,
  client: pg.Client,
  work: () => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = unlessWithin(ms, () => {
      destroyConnection(client);
      reject(new DatabaseTimeoutError());
    });
    work().then(resolve, reject).finally(cancel);
  });
}

import pg from 'pg';
import type { Logger } from '../logger/index.ts';
import { DatabaseTimeoutError, destroyConnection, unlessWithin } from './bounded-client.ts';
import type { PooledDatabase } from './database.ts';

/** How often `check` is to be called: a loss is known within this and twice the next. */
export const CHECK_DATABASE_EVERY_MS = 500;
/** Two silent connections and the wait before them are less than the 3 s in which a loss is to be known. */
const ANSWERS_WITHIN_MS = 1_000;
/** A session takes several answers; while none can be had there is time to wait for those of a slow server. */
const OPENS_WITHIN_MS = { inUse: ANSWERS_WITHIN_MS, lost: 2_000 };
/** Settings of a database or a role hold for new sessions only: so old one of ours may be. */
const SESSION_AGE_MS = 1_500;

/** Whether the database serves, as seen through connections that nothing else uses. */
export interface DatabaseWatch {
  /** Whether it can be used, as the last check found it. */
  readonly isUp: boolean;
  /**
   * Asks through the connection of an earlier check, and through a new one when that does not answer, is
   * old, or nothing could be used before. When connections of before are not to be trusted any more
   * (silent, read-only, of another server), the pool replaces its own. Takes 2 s at most, never throws.
   */
  check(): Promise<void>;
  close(): void;
}

export function watchDatabase({ connections }: PooledDatabase, logger: Logger): DatabaseWatch {
  let session: Session | null = null;
  let server: string | null = null;
  /** Since when it cannot be used. */
  let lostMs: number | null = null;

  function lose(error: Error): void {
    if (lostMs === null) logger.warn({ err: error }, 'the database cannot be used');
    lostMs ??= performance.now();
    // A caller that waits on a silent connection gets an error, and does not hold it.
    if (error instanceof DatabaseTimeoutError) connections.replaceAll();
  }

  /** Opens a session in place of `old`, which has answered just now where it is trusted. */
  async function renew(old: Session | null, isOldTrusted: boolean): Promise<void> {
    try {
      const withinMs = lostMs === null ? OPENS_WITHIN_MS.inUse : OPENS_WITHIN_MS.lost;
      session = await openSession(connections.config, withinMs);
    } catch (error) {
      // A busy server is slow to open sessions, and answers on those that are open.
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
  /** Tells servers apart that take each other's place at one address. */
  readonly server: string;
  isUsable(): Promise<boolean>;
  close(): void;
}

const STATE = `
  select current_setting('transaction_read_only')::boolean as "isReadOnly",
         pg_postmaster_start_time()::text as server`;

async function openSession(config: pg.ClientConfig, withinMs: number): Promise<Session> {
  const client = new pg.Client(config);
  // The next question fails where the connection is broken.
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

/** Destroys a connection on which something is not done in time, whatever pg makes of that. */
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

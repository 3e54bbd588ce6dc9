import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/index.ts';

/** After this time a process that has died or hangs loses the lease. */
const LEASE_MS = 6_000;
/** Interval at which the holder renews it and the others try to take it: it passes on within ten seconds. */
export const RENEW_EVERY_MS = 1_500;

/** Elects one process of the site: by a lease in the database that expires unless it is renewed. */
export function createSiteLease(database: Database) {
  const holder = randomUUID();
  let heldUntilMs = 0;
  return {
    /** Whether this process has the lease at this moment, also after it was suspended for a while. */
    get isHeld(): boolean {
      return performance.now() < heldUntilMs;
    },
    /** Takes the lease if it is free, or extends the own one. */
    async renew(): Promise<void> {
      // Measured before the query: the database counts from later, so the lease ends here first.
      const untilMs = performance.now() + LEASE_MS;
      const { rows } = await sql`
        update site_lease
        set holder = ${holder},
            expires_at = clock_timestamp() + make_interval(secs => ${LEASE_MS / 1_000})
        where holder = ${holder} or expires_at < clock_timestamp()
          -- The clock of the database was set back, by more than a lease: its holder may have died.
          or expires_at > clock_timestamp() + make_interval(secs => ${(2 * LEASE_MS) / 1_000})
        returning holder`.execute(database);
      heldUntilMs = rows.length > 0 ? untilMs : 0;
    },
    /** Releases the lease, so that another process need not wait for its expiry. */
    async release(): Promise<void> {
      heldUntilMs = 0;
      await sql`update site_lease set expires_at = '-infinity' where holder = ${holder}`.execute(
        database,
      );
    },
  };
}

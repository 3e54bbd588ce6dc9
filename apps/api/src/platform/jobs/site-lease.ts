import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/index.ts';

/** A process that has died or stands still loses the lease after so long. */
const LEASE_MS = 6_000;
/** How often the holder renews it and the others try to take it: another has it within ten seconds. */
export const RENEW_EVERY_MS = 1_500;

/** Chooses one process of the site: a lease in the database that ends unless it is renewed. */
export function createSiteLease(database: Database) {
  const holder = randomUUID();
  let heldUntilMs = 0;
  return {
    /** Whether this process has the lease at this moment, also after it stood still for a while. */
    get isHeld(): boolean {
      return performance.now() < heldUntilMs;
    },
    /** Takes the lease if it is free, or makes one's own last longer. */
    async renew(): Promise<void> {
      // From before the question: the database counts from later, so it ends here first.
      const untilMs = performance.now() + LEASE_MS;
      const { rows } = await sql`
        update site_lease
        set holder = ${holder},
            expires_at = clock_timestamp() + make_interval(secs => ${LEASE_MS / 1_000})
        where holder = ${holder} or expires_at < clock_timestamp()
        returning holder`.execute(database);
      heldUntilMs = rows.length > 0 ? untilMs : 0;
    },
    /** Gives the lease up, so that another process need not wait for its end. */
    async release(): Promise<void> {
      heldUntilMs = 0;
      await sql`update site_lease set expires_at = '-infinity' where holder = ${holder}`.execute(
        database,
      );
    },
  };
}

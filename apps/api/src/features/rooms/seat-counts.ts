import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

interface SeatCounts {
  /** With learners. */
  readonly rooms: number;
  readonly taken: number;
  /** Taken seats without a realtime connection. */
  readonly lost: number;
}

/** The seats of the site, for operators; from indexes alone. */
export async function countSeats(database: Database): Promise<SeatCounts> {
  const { rows } = await sql<SeatCounts>`
    select count(*) as rooms, coalesce(sum(occupancy), 0)::bigint as taken,
           (select count(*) from seat where not is_connected) as lost
    from study_room where occupancy > 0`.execute(database);
  return rows[0] ?? { rooms: 0, taken: 0, lost: 0 };
}

import { type RawBuilder, sql } from 'kysely';

/**
 * What a later feature keeps beside seats. Its SQL stands in the very statements that take and give
 * up seats, so a seat never exists without it, whatever ends the process.
 */
export interface SeatCompanions {
  /**
   * Parts of a WITH clause.
   * @param seated a relation with user_id, room_id and entered_at of seats that were just taken.
   */
  readonly onTaken: (seated: RawBuilder<unknown>) => RawBuilder<unknown>;
  /**
   * Parts of a WITH clause.
   * @param left a relation with user_id and ended_at of seats that were just given up.
   */
  readonly onGivenUp: (left: RawBuilder<unknown>) => RawBuilder<unknown>;
}

const nothing = () => sql`no_companions as (select)`;

/** Seats with nothing beside them. */
export const noCompanions: SeatCompanions = { onTaken: nothing, onGivenUp: nothing };

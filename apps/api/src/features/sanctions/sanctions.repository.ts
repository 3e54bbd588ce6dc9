import type { AutomaticRule, UserId } from '@mogakgong/contract';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { createDeletedOwnerQueries } from './deleted-owners.ts';
import type { SanctionsTables } from './sanctions.tables.ts';
import { createStandingQueries } from './standing-queries.ts';

export type StoredSanction = Selectable<SanctionsTables['sanction']>;

/** Appeals that a moderator is given at once. */
const APPEALS_MAX = 200;

/** The queries on sanctions beside those of `decisions.ts`. */
export function createSanctionsRepository(database: Database) {
  const own = database.withTables<SanctionsTables>();

  return {
    ...createStandingQueries(own),
    ...createDeletedOwnerQueries(own),

    /** @returns whether it is theirs. */
    async acknowledge(userId: UserId, sanctionId: number, now: Date): Promise<boolean> {
      const { numUpdatedRows } = await own
        .updateTable('sanction')
        .set({ acknowledged_at: sql<Date>`coalesce(acknowledged_at, ${now})` })
        .where('id', '=', sanctionId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async findOwner(sanctionId: number): Promise<UserId | null> {
      const row = await own
        .selectFrom('sanction')
        .select('user_id')
        .where('id', '=', sanctionId)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },

    /** Every sanction of a learner, latest first. */
    findOf: (userId: UserId) =>
      own
        .selectFrom('sanction')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .execute(),

    /** Appeals without an answer, oldest first. */
    findAppeals: () =>
      own
        .selectFrom('sanction')
        .selectAll()
        .where('appealed_at', 'is not', null)
        .where('appeal_answered_at', 'is', null)
        .where('user_id', 'is not', null)
        .orderBy('appealed_at')
        .limit(APPEALS_MAX)
        .execute(),

    /** Whether the product has decided by this rule about a learner since then, and nobody has lifted it. */
    async hasByRule(userId: UserId, rule: AutomaticRule, since: Date): Promise<boolean> {
      const found = await own
        .selectFrom('sanction')
        .select('id')
        .where('user_id', '=', userId)
        .where('rule', '=', rule)
        .where('imposed_at', '>', since)
        .where('lifted_at', 'is', null)
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },
  };
}

export type SanctionsRepository = ReturnType<typeof createSanctionsRepository>;

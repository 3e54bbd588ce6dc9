import { type AutomaticRule, SANCTIONS_SHOWN, type UserId } from '@mogakgong/contract';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { createDeletedOwnerQueries } from './deleted-owners.ts';
import { createInForceQueries, isInForce } from './in-force-queries.ts';
import type { SanctionsTables } from './sanctions.tables.ts';

/** Whether a person decided it, not the product. */
const isOfPerson = sql<boolean>`rule is null`;

export type StoredSanction = Selectable<SanctionsTables['sanction']>;

/** The queries on sanctions beside those of `decisions.ts`. */
export function createSanctionsRepository(database: Database) {
  const own = database.withTables<SanctionsTables>();

  return {
    ...createInForceQueries(own),
    ...createDeletedOwnerQueries(own),

    /** @returns whether it is the learner's. */
    async acknowledge(userId: UserId, sanctionId: number, now: Date): Promise<boolean> {
      const { numUpdatedRows } = await own
        .updateTable('sanction')
        .set({ acknowledged_at: sql<Date>`coalesce(acknowledged_at, ${now})` })
        .where('id', '=', sanctionId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async findOne(sanctionId: number): Promise<StoredSanction | null> {
      const row = await own
        .selectFrom('sanction')
        .selectAll()
        .where('id', '=', sanctionId)
        .executeTakeFirst();
      return row ?? null;
    },

    /**
     * Sanctions of a learner, latest first. Those in force and those of people come before mutes of ten minutes, of which
     * a learner can make many.
     */
    async findOf(userId: UserId, now: Date) {
      const found = await own
        .selectFrom('sanction')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy(isInForce(now), 'desc')
        .orderBy(isOfPerson, 'desc')
        .orderBy('id', 'desc')
        .limit(SANCTIONS_SHOWN)
        .execute();
      return found.toSorted((one, other) => other.id - one.id);
    },

    /**
     * Appeals without an answer, oldest first: at first one of each learner, against what is in force, and against what a
     * person decided.
     */
    findAppeals: (now: Date) =>
      own
        .selectFrom('sanction')
        .selectAll()
        .where('appealed_at', 'is not', null)
        .where('appeal_answered_at', 'is', null)
        .where('user_id', 'is not', null)
        .orderBy(
          sql`row_number() over (partition by user_id order by ${isInForce(now)} desc, appealed_at)`,
        )
        .orderBy(isInForce(now), 'desc')
        .orderBy(isOfPerson, 'desc')
        .orderBy('appealed_at')
        .limit(SANCTIONS_SHOWN)
        .execute(),

    /** Whether this rule has sanctioned a learner since then, and nobody has lifted it. */
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

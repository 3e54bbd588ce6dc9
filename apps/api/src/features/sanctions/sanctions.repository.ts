import {
  type AutomaticRule,
  type RoomId,
  SANCTIONS_SHOWN,
  type SanctionKind,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { createDeletedOwnerQueries } from './deleted-owners.ts';
import { createInForceQueries, isInForce } from './in-force-queries.ts';

export interface StoredSanction {
  readonly id: number;
  /** Null once the account is deleted. */
  readonly userId: UserId | null;
  readonly kind: SanctionKind;
  /** The rule of an automatic sanction; null if a moderator decided. */
  readonly rule: AutomaticRule | null;
  readonly reason: string;
  readonly caseId: number | null;
  readonly roomId: RoomId | null;
  readonly decidedBy: UserId | null;
  readonly imposedAt: Date;
  /** Null for one without end. */
  readonly endsAt: Date | null;
  readonly liftedAt: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly appealText: string | null;
  readonly appealedAt: Date | null;
  readonly appealAnswer: string | null;
  readonly appealOutcome: 'upheld' | 'lifted' | null;
  readonly appealAnsweredAt: Date | null;
}

/** SQL for the columns of a `StoredSanction`. */
const columns = sql`
  id, user_id as "userId", kind, rule, reason, case_id as "caseId", room_id as "roomId",
  decided_by as "decidedBy", imposed_at as "imposedAt", ends_at as "endsAt",
  lifted_at as "liftedAt", acknowledged_at as "acknowledgedAt", appeal_text as "appealText",
  appealed_at as "appealedAt", appeal_answer as "appealAnswer",
  appeal_outcome as "appealOutcome", appeal_answered_at as "appealAnsweredAt"`;

/** Whether a person decided it, not the product. */
const isOfPerson = sql<boolean>`rule is null`;

/** The queries on sanctions beside those of `decisions.ts`. */
export function createSanctionsRepository(db: Database) {
  return {
    ...createInForceQueries(db),
    ...createDeletedOwnerQueries(db),

    /** @returns whether it is the learner's. */
    async acknowledge(userId: UserId, sanctionId: number, now: Date): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update sanction set acknowledged_at = coalesce(acknowledged_at, ${now})
        where id = ${sanctionId} and user_id = ${userId}`.execute(db);
      return numAffectedRows === 1n;
    },

    async findOne(sanctionId: number): Promise<StoredSanction | null> {
      const { rows } = await sql<StoredSanction>`
        select ${columns} from sanction where id = ${sanctionId}`.execute(db);
      return rows[0] ?? null;
    },

    /**
     * Sanctions of a learner, latest first. Those in force and those of people come before mutes of ten minutes, of which
     * a learner can make many.
     */
    async findOf(userId: UserId, now: Date) {
      const { rows } = await sql<StoredSanction>`
        select ${columns} from sanction where user_id = ${userId}
        order by ${isInForce(now)} desc, ${isOfPerson} desc, id desc
        limit ${SANCTIONS_SHOWN}`.execute(db);
      return rows.toSorted((one, other) => other.id - one.id);
    },

    /**
     * Appeals without an answer, oldest first: at first one of each learner, against what is in force, and against what a
     * person decided.
     */
    async findAppeals(now: Date): Promise<StoredSanction[]> {
      const { rows } = await sql<StoredSanction>`
        select ${columns} from sanction
        where appealed_at is not null and appeal_answered_at is null and user_id is not null
        order by row_number() over (partition by user_id order by ${isInForce(now)} desc, appealed_at),
                 ${isInForce(now)} desc, ${isOfPerson} desc, appealed_at
        limit ${SANCTIONS_SHOWN}`.execute(db);
      return rows;
    },

    /** Whether this rule has sanctioned a learner since then, and nobody has lifted it. */
    async hasByRule(userId: UserId, rule: AutomaticRule, since: Date): Promise<boolean> {
      const { rows } = await sql`
        select from sanction
        where user_id = ${userId} and rule = ${rule} and imposed_at > ${since}
          and lifted_at is null limit 1`.execute(db);
      return rows.length > 0;
    },
  };
}

export type SanctionsRepository = ReturnType<typeof createSanctionsRepository>;

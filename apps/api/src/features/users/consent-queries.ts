import type { Restriction, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/** A text by its name, and the version of it that somebody agreed to. */
export interface ConsentVersion {
  readonly name: string;
  readonly version: string;
}

/** The queries of a repository on consents, and on accounts that may use few routes. */
export function createConsentQueries(db: Database) {
  return {
    /**
     * Why an account may use few routes; undefined usually.
     * @param validSince the oldest version of each consent that is still valid.
     */
    async findRestriction(
      userId: UserId,
      validSince: Readonly<Record<string, string>>,
    ): Promise<Restriction | undefined> {
      const { rows } = await sql<{ restriction: Restriction | null }>`
        select case when deletes_at is not null then 'leaving' when exists (
          select from unnest(${Object.keys(validSince)}::text[], ${Object.values(validSince)}::text[])
            as needed (name, since)
          where not exists (
            select from consent
            where user_id = users.id and consent.name = needed.name and version >= needed.since
          )
        ) then 'consents' end as restriction
        from users where id = ${userId}`.execute(db);
      return rows[0]?.restriction ?? undefined;
    },

    /** The latest consent of each name. */
    async findConsents(userId: UserId) {
      const { rows } = await sql<ConsentVersion & { readonly acceptedAt: Date }>`
        select distinct on (name) name, version, accepted_at as "acceptedAt" from consent
        where user_id = ${userId} order by name, version desc`.execute(db);
      return rows;
    },

    /** Stores consents; one that was given before keeps its time. */
    async addConsents(
      userId: UserId,
      consents: readonly ConsentVersion[],
      now: Date,
    ): Promise<void> {
      const names = consents.map((consent) => consent.name);
      const versions = consents.map((consent) => consent.version);
      await sql`
        insert into consent (user_id, name, version, accepted_at)
        select ${userId}, name, version, ${now}
        from unnest(${names}::text[], ${versions}::text[]) as given (name, version)
        on conflict do nothing`.execute(db);
    },
  };
}

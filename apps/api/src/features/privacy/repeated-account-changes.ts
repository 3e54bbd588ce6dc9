import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/** The state of an account in the ledger of backups, as the trigger of `007-backup` writes it. */
interface NotedAccount {
  readonly subjectId: number;
  readonly madeAt: string;
  readonly state: object;
}

/**
 * Deletes accounts in a restored database that were deleted after the backup: as of now nobody can log in to them or see
 * them, and the job that deletes due accounts removes the rest. Plans to delete one, their cancellations, and roles that
 * were given or taken are repeated as well. No mail confirms a deletion twice.
 */
export async function repeatAccountChanges(
  database: Database,
  accounts: readonly NotedAccount[],
): Promise<void> {
  const noted = sql`
    select (entry ->> 'subjectId')::bigint as id, (entry ->> 'madeAt')::timestamptz as made_at,
      (entry -> 'state' ->> 'isDeleted')::boolean as is_deleted,
      (entry -> 'state' ->> 'deletesAt')::timestamptz as deletes_at,
      entry -> 'state' ->> 'role' as role
    from jsonb_array_elements(${JSON.stringify(accounts)}::jsonb) as entry`;
  await sql`
    with noted as (${noted})
    update users
    set deletes_at = noted.deletes_at, role = noted.role
    from noted where users.id = noted.id and created_at = made_at and not is_deleted`.execute(
    database,
  );
  await sql`
    with noted as (${noted})
    update users
    set deletes_at = '-infinity', password_hash = null, title_id = null, email = null,
        verified_email = null
    from noted where users.id = noted.id and created_at = made_at and is_deleted`.execute(database);
}

import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/** A sanction in the ledger of backups, as the trigger of `007-backup` writes it. */
interface NotedSanction {
  readonly subjectId: number;
  readonly madeAt: string;
  readonly state: object;
}

/** Takes the place of the moderator's text, which the ledger does not hold. */
const REASON =
  '백업을 복원한 뒤 다시 적용된 조치예요. (Applied again after a backup was restored.)';

/** Sets or lifts sanctions in a restored database as they were set or lifted after the backup. */
export async function repeatSanctions(
  database: Database,
  sanctions: readonly NotedSanction[],
): Promise<void> {
  // An account with the same number that was made at another time is somebody else's.
  const noted = sql`
    select (entry ->> 'subjectId')::bigint as id, (entry ->> 'madeAt')::timestamptz as imposed_at,
      card.user_id, decode(state ->> 'emailHash', 'hex') as email_hash, state ->> 'kind' as kind,
      state ->> 'rule' as rule, (state ->> 'roomId')::bigint as room_id,
      (state ->> 'decidedBy')::bigint as decided_by, (state ->> 'endsAt')::timestamptz as ends_at,
      (state ->> 'liftedAt')::timestamptz as lifted_at, (state ->> 'liftedBy')::bigint as lifted_by
    from jsonb_array_elements(${JSON.stringify(sanctions)}::jsonb) as entry
    cross join lateral (select entry -> 'state' as state) as of_entry
    left join account_age as card
      on card.user_id = (state ->> 'userId')::bigint
      and card.made_at = (state ->> 'userMadeAt')::timestamptz`;
  await sql`
    with noted as (${noted})
    update sanction
    set user_id = noted.user_id, email_hash = noted.email_hash, ends_at = noted.ends_at,
        lifted_at = noted.lifted_at, lifted_by = noted.lifted_by, changed_at = clock_timestamp()
    from noted where sanction.id = noted.id and sanction.imposed_at = noted.imposed_at`.execute(
    database,
  );
  await sql`
    with noted as (${noted})
    insert into sanction (id, user_id, email_hash, kind, rule, reason, room_id, decided_by, imposed_at,
                          ends_at, lifted_at, lifted_by, changed_at)
    overriding system value
    select id, user_id, email_hash, kind, rule, ${REASON}, room_id, decided_by, imposed_at, ends_at,
      lifted_at, lifted_by, clock_timestamp()
    from noted where user_id is not null or email_hash is not null
    on conflict (id) do nothing`.execute(database);
}

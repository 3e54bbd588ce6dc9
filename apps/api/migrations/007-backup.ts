import { type Kysely, sql } from 'kysely';

/** A restore fills the tables, the ledger as well. */
const isNotRestoring = sql`current_setting('mogakgong.is_restoring', true) is distinct from 'on'`;

/** Others end before a restore: mutes of ten minutes would be a row each, without end. */
const isLong = sql`(new.ends_at is null or new.ends_at >= new.imposed_at + interval '1 day')`;

/**
 * Restoring a backup must not bring back accounts that were deleted after it, nor undo what was decided about a learner.
 * Triggers note these changes, so that no statement of any feature can forget to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The latest state of what restoring an older backup must not undo. It is copied beside the backups
    -- (decision 134), and holds no text that a person wrote.
    create table ledger (
      -- 'account' or 'sanction'.
      kind text not null,
      subject_id bigint not null,
      -- When the subject was made: after a restore an id may be given again.
      made_at timestamptz not null,
      state jsonb not null,
      changed_at timestamptz not null default clock_timestamp(),
      primary key (kind, subject_id, made_at)
    )`.execute(db);
  await sql`
    create function note_in_ledger(kind text, subject_id bigint, made_at timestamptz, state jsonb)
    returns void language sql as $$
      insert into ledger values (kind, subject_id, made_at, state)
      on conflict on constraint ledger_pkey
      do update set state = excluded.state, changed_at = excluded.changed_at
    $$`.execute(db);
  await sql`
    create function note_account() returns trigger language plpgsql as $$
    begin
      perform note_in_ledger('account', old.id, old.created_at, case tg_op
        when 'DELETE' then '{"isDeleted": true}'
        else jsonb_build_object(
          'isDeleted', false, 'deletesAt', new.deletes_at, 'role', new.role) end);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger account_is_noted after delete or update of deletes_at, role on users
      for each row when (${isNotRestoring}) execute function note_account()`.execute(db);
  await sql`
    create function note_sanction() returns trigger language plpgsql as $$
    begin
      perform note_in_ledger('sanction', new.id, new.imposed_at, jsonb_build_object(
        'userId', new.user_id,
        'userMadeAt', (select created_at from users where id = new.user_id),
        'emailHash', encode(new.email_hash, 'hex'),
        'kind', new.kind,
        'rule', new.rule,
        'roomId', new.room_id,
        'decidedBy', new.decided_by,
        'endsAt', new.ends_at,
        'liftedAt', new.lifted_at,
        'liftedBy', new.lifted_by));
      return null;
    end $$`.execute(db);
  await sql`
    create trigger sanction_is_noted
      after insert or update of user_id, email_hash, ends_at, lifted_at on sanction
      for each row when (${isNotRestoring} and ${isLong}) execute function note_sanction()`.execute(
    db,
  );
  await sql`
    -- For sanctions that are repeated: a number may be another account's after a restore.
    create view account_age as select id as user_id, created_at as made_at from users`.execute(db);
  await sql`
    -- When this database was restored from a backup: access tokens from before count no more.
    alter table site add column restored_at timestamptz`.execute(db);
}

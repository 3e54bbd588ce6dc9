import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      -- What a learner may do beside studying; read at every call of a route for moderators.
      add column role text not null default 'member'
        check (role in ('member', 'moderator', 'admin'))`.execute(db);
  await sql`create index users_with_role on users (role) where role <> 'member'`.execute(db);
  await sql`
    create table audit_event (
      id bigint generated always as identity primary key,
      at timestamptz not null default clock_timestamp(),
      -- Ids without foreign keys: an event outlives what it is about.
      -- Null: the product itself, or the operator on its host.
      actor_id bigint,
      action text not null,
      subject_id bigint,
      case_id bigint,
      sanction_id bigint,
      -- Words and figures of the product, no text that somebody wrote.
      details jsonb not null default '{}'
    )`.execute(db);
  await sql`create index audit_event_subject on audit_event (subject_id, id)`.execute(db);
  await sql`create index audit_event_actor on audit_event (actor_id, id)`.execute(db);
  await sql`create index audit_event_age on audit_event (at)`.execute(db);
  await refuseChanges(db);
}

/** Events are added, and deleted once they are three years old: the owner of the table does nothing else, either. */
async function refuseChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      if tg_level = 'ROW' then
        if old.at < now() - interval '3 years' then return old; end if;
      end if;
      raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
    end $$`.execute(db);
  await sql`
    create trigger audit_event_is_never_changed before update or truncate on audit_event
      for each statement execute function refuse_audit_change()`.execute(db);
  await sql`
    create trigger audit_event_is_kept before delete on audit_event
      for each row execute function refuse_audit_change()`.execute(db);
  // Also where a session suppresses triggers, as a replica does.
  await sql`
    alter table audit_event
      enable always trigger audit_event_is_never_changed,
      enable always trigger audit_event_is_kept`.execute(db);
}

-- The actions of moderators, of the operator, and of the product as a moderator. Ids have no foreign
-- keys: an event outlives its subject.
create table audit_event (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- Null: the product itself, or the operator on its host.
  actor_id bigint,
  action text not null,
  -- The learner, case and sanction that the action concerns.
  subject_id bigint,
  case_id bigint,
  sanction_id bigint,
  -- Words and figures of the product, no text that a person wrote.
  details jsonb not null default '{}'
);
-- The events about one learner, and those of one moderator, newest first.
create index audit_event_subject on audit_event (subject_id, id);
create index audit_event_actor on audit_event (actor_id, id);
-- The deletion of old events.
create index audit_event_age on audit_event (at);

-- Events are added, and deleted once they are three years old: even the owner of the table changes none.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' then
    if old.at < now() - interval '3 years' then return old; end if;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_event_is_never_changed before update or truncate on audit_event
  for each statement execute function refuse_audit_change();
create trigger audit_event_is_kept before delete on audit_event
  for each row execute function refuse_audit_change();
-- Also in a session that suppresses triggers, as a replica does.
alter table audit_event
  enable always trigger audit_event_is_never_changed,
  enable always trigger audit_event_is_kept;

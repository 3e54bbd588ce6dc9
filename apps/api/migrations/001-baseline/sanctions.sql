-- Warnings and restrictions, each with its appeal. Ids of moderators, cases and rooms have no foreign
-- keys: a sanction may outlive all of them.
create table sanction (
  id bigint generated always as identity primary key,
  -- Null once the account is deleted, while the sanction stands (decision 062).
  user_id bigint references users (id) on delete set null,
  -- A keyed hash of the proven e-mail of a deleted account: a new account with it gets the sanction.
  email_hash bytea,
  kind text not null check (kind in ('warn', 'muteChat', 'cameraOff', 'remove', 'suspend', 'ban')),
  -- The rule by which the product decided by itself; null if a person did.
  rule text,
  -- Shown to the learner.
  reason text not null,
  -- The case of reports that was decided.
  case_id bigint,
  -- The room where it happened; of 'remove' the room that cannot be entered.
  room_id bigint check (kind <> 'remove' or room_id is not null),
  -- A moderator; null for the product itself.
  decided_by bigint,
  imposed_at timestamptz not null,
  -- Null for one without end; of a warning the time at which it was given.
  ends_at timestamptz,
  lifted_at timestamptz,
  lifted_by bigint,
  -- When the learner confirmed that they have read it; null again after each change they are told of.
  acknowledged_at timestamptz,
  appeal_text text,
  appealed_at timestamptz,
  appeal_answer text,
  appeal_outcome text check (appeal_outcome in ('upheld', 'lifted')),
  appeal_answered_at timestamptz,
  appeal_answered_by bigint,
  -- Set by every statement that changes the meaning or a text of the sanction.
  changed_at timestamptz not null
);
-- The sanctions of one learner, newest first.
create index sanction_user on sanction (user_id, id);
-- Processes read the latest changes each second, and at their start all sanctions that stand.
create index sanction_change on sanction (changed_at);
create index sanction_standing on sanction (ends_at) where lifted_at is null;
-- The sanctions that a new account takes over.
create index sanction_email on sanction (email_hash) where email_hash is not null;
-- The appeals that wait for an answer.
create index sanction_appeal on sanction (appealed_at)
  where appealed_at is not null and appeal_answered_at is null;

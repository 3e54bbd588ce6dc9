-- A log-in, with its latest refresh token and the one before.
create table login_session (
  id uuid primary key,
  -- Null once the account is deleted: the log-in stays until its last access token has expired, so that
  -- every process knows that it has ended.
  user_id bigint references users (id) on delete set null,
  -- The browser, as it names itself.
  user_agent text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- SHA-256 of the latest refresh token.
  token_hash bytea not null,
  -- SHA-256 of the token that was exchanged for it: it may come again, as the answer may be lost.
  previous_hash bytea,
  -- When the log-in ends without being used; never later than the absolute limit of a log-in.
  expires_at timestamptz not null,
  -- When it began, or its refresh token was exchanged last: shown to its owner.
  last_used_at timestamptz not null default now(),
  -- When its owner last proved their identity: by logging in, or again since.
  authenticated_at timestamptz not null default now()
);
-- The log-ins of one learner.
create index login_session_user on login_session (user_id);
-- Processes read the latest ends every three seconds.
create index login_session_ended on login_session (ended_at) where ended_at is not null;
-- The deletion of expired log-ins.
create index login_session_expiry on login_session (expires_at);

-- A browser in which a learner has logged in before: a log-in from another one is mailed to them.
create table known_browser (
  user_id bigint not null references users (id) on delete cascade,
  -- SHA-256 of a random cookie.
  token_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (user_id, token_hash)
);
-- The deletion of forgotten browsers.
create index known_browser_use on known_browser (last_used_at);

-- A link that sets the password of the account with an address, for the reader of the mails to it.
create table password_reset (
  -- SHA-256 of the token in the link of the mail.
  token_hash bytea primary key,
  -- The address that it was mailed to: whichever account has it when the link is used.
  email text not null,
  expires_at timestamptz not null
);
-- A new password ends the earlier links to an address.
create index password_reset_email on password_reset (lower(email));
-- The deletion of expired links.
create index password_reset_expiry on password_reset (expires_at);

-- A new e-mail address of a learner, until they have opened the mail that was sent to it.
create table email_change (
  user_id bigint primary key references users (id) on delete cascade,
  new_email text not null,
  -- SHA-256 of the token in the link of the mail.
  token_hash bytea not null unique,
  expires_at timestamptz not null
);
-- The deletion of expired links.
create index email_change_expiry on email_change (expires_at);

-- For statements that change how a learner logs in: the log-ins that have not ended.
create view standing_log_in as
  select id, user_id from login_session where ended_at is null;

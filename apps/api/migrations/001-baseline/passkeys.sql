create table passkey (
  id uuid primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- The authenticator's id of it, in base64url.
  credential_id text not null unique,
  -- In COSE, as the authenticator gave it.
  public_key bytea not null,
  -- How often the authenticator has signed, or 0 where it does not count: a lower number means a copy.
  sign_count bigint not null,
  -- How browsers reach it: internal, hybrid, usb …
  transports text[] not null,
  -- Chosen by its owner.
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- When the challenge was made that it signed last: an answer to an earlier one is a replay.
  challenged_at timestamptz
);
-- The passkeys of one learner, in the order in which they were added.
create index passkey_user on passkey (user_id, created_at);

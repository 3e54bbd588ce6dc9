create table second_factor (
  user_id bigint primary key references users (id) on delete cascade,
  -- The secret of the authenticator app, encrypted with a key derived from AUTH_SECRET.
  sealed_secret bytea not null,
  -- When a first code has shown that the app has the secret: null until then, and log-ins ask for none.
  confirmed_at timestamptz,
  -- The time step of the last code that was accepted: each code counts once.
  last_step bigint not null default 0,
  -- SHA-256 of the recovery codes that are left.
  recovery_hashes bytea[] not null default '{}'
);

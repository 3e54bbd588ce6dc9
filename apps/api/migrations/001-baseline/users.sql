create table users (
  id bigint generated always as identity primary key,
  -- Null for a social log-in without a verified address, or with one that another account has.
  email text,
  -- Equal to `email` once it is known that the learner reads it: a provider has verified it, or a mailed
  -- link was used. Any other address may be a stranger's.
  verified_email text,
  -- Null for an account that was made by a social log-in.
  password_hash text,
  nickname text not null,
  -- The look of the nickname (nickname-key.ts): names that look the same have the same key.
  nickname_key text,
  introduction text not null,
  -- The address of a row of `image`, a path of the web, or empty.
  profile_image text not null,
  -- The title that the learner wears: one of `user_title` (titles.sql has the foreign key).
  title_id integer,
  -- How the account was made: LOCAL, or the provider.
  social_provider text not null,
  -- Read at every call of a route for moderators.
  role text not null default 'member' check (role in ('member', 'moderator', 'admin')),
  -- When the account is deleted; null for one that stays. '-infinity' once the deletion has begun: it goes
  -- on until nothing is left, and cannot be cancelled any more.
  deletes_at timestamptz,
  created_at timestamptz not null default now()
);
-- Log-ins and sign-ups look for an e-mail address without regard to case: one account an address.
create unique index users_email_key on users (lower(email));
-- One learner a nickname, also by its look.
create unique index users_nickname_key on users (lower(nickname));
create unique index users_nickname_look_key on users (nickname_key);
-- The sweep of pictures looks for the owner of each one that it may delete.
create index users_profile_image on users (profile_image);
-- The few moderators, and the few accounts that are about to be deleted.
create index users_with_role on users (role) where role <> 'member';
create index users_leaving on users (deletes_at) where deletes_at is not null;

-- The legal texts that a learner has accepted, each version.
create table consent (
  user_id bigint not null references users (id) on delete cascade,
  name text not null,
  version text not null,
  accepted_at timestamptz not null,
  primary key (user_id, name, version)
);

-- For ways to log in: e-mails of accounts, and those that their learners are known to read.
create view account_email as
  select id as user_id, email, verified_email from users;

import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Both are null for an account that was made by a social log-in: it has no password, and an e-mail
  // only if the provider has verified it and no other account has it.
  await sql`
    alter table users
      alter column email drop not null,
      alter column password_hash drop not null`.execute(db);
  await sql`
    create table social_identity (
      -- google, kakao or naver.
      provider text not null,
      -- Within what a subject is one person: the issuer of Google, the client id of the others.
      realm text not null,
      -- What the provider calls the person, for ever.
      subject text not null,
      user_id bigint not null references users (id) on delete cascade,
      -- As the provider gave it, verified or not: shown to its owner, never compared.
      email text,
      linked_at timestamptz not null,
      primary key (provider, realm, subject),
      -- One of each provider: also the index by learner.
      unique (user_id, provider)
    )`.execute(db);
}

create table social_identity (
  -- google, kakao or naver.
  provider text not null,
  -- The scope in which a subject is one person: the issuer of Google, the client id of the others.
  realm text not null,
  -- The provider's permanent id of the person.
  subject text not null,
  user_id bigint not null references users (id) on delete cascade,
  -- As the provider gave it, verified or not: shown to its owner, never compared.
  email text,
  linked_at timestamptz not null,
  primary key (provider, realm, subject),
  -- One of each provider: also the index by learner.
  unique (user_id, provider)
);

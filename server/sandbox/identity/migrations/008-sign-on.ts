/** Identity providers of the sandbox, whom they know, and which account an identity of theirs opens. */
export const signOn = `
alter table accounts
  -- Whether the account may, or has to, sign in through Microsoft.
  add column microsoft text check (microsoft in ('required', 'prohibited'));

-- People as a provider knows them; the provider is the path below the sandbox's own address.
create table people (
  subject uuid primary key,
  provider text not null,
  username text not null,
  display_name text not null,
  password_hash text not null,
  -- The organisation that the provider says they belong to, whatever the cloud says.
  organisation_id text
);
create unique index people_username on people (provider, lower(username));

-- An identity is issuer and subject together (ASVS 6.8.1). The sandbox's own issuers are kept as paths: where it
-- listens may change with each start.
create table identities (
  issuer text not null,
  subject text not null,
  account_id bigint not null references accounts on delete cascade,
  primary key (issuer, subject)
);
create index identities_account on identities (account_id);

-- SHA-256 of each token of an identity that has opened an account, until it expires.
create table spent_tokens (
  hash text primary key,
  expires timestamptz not null
);

-- What the providers keep: sessions, interactions, codes, grants.
create table provider_records (
  provider text not null,
  model text not null,
  id text not null,
  payload jsonb not null,
  uid text,
  grant_id text,
  expires timestamptz,
  primary key (provider, model, id)
);
create index provider_records_uid on provider_records (provider, model, uid);
create index provider_records_grant on provider_records (provider, grant_id);
create index provider_records_expires on provider_records (expires);

-- Wrong passwords at a provider, by person and address.
create table provider_attempts (
  key text primary key,
  failures integer not null,
  ends timestamptz not null
);
`;

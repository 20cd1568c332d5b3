/** Sign-ins in the name of another, what a sign-in opens at partner systems, and agreements that must be signed. */
export const acting = `
alter table accounts
  -- Must sign the reseller agreement before anything else.
  add column must_sign boolean not null default false,
  -- Lands on the single-experience dashboard.
  add column single_experience boolean not null default false;

-- Who really signed in, by a jump.
alter table grants add column actor_id bigint references accounts on delete cascade;

create table jump_tokens (
  hash text primary key,
  actor_id bigint not null references accounts on delete cascade,
  target_id bigint not null references accounts on delete cascade,
  expires timestamptz not null,
  used timestamptz
);

create table partner_sessions (
  grant_id uuid not null references grants on delete cascade,
  system text not null check (system in ('comms', 'hardware')),
  ended timestamptz,
  primary key (grant_id, system)
);

create table agreements (
  id bigint primary key,
  title text not null,
  paragraphs text[] not null
);

create table agreement_signatures (
  agreement_id bigint not null references agreements,
  account_id bigint not null references accounts on delete cascade,
  signatory text not null,
  signed timestamptz not null,
  primary key (agreement_id, account_id)
);
`;

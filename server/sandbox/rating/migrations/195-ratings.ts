/** What people are asked to rate, and what they said: one row for each account and feature, also where it said nothing. */
export const ratings = `
create table rating_features (
  id text primary key,
  -- What was done before does not count: nobody is asked about what they did long ago.
  since timestamptz not null
);
create table ratings (
  account_id bigint not null references accounts on delete cascade,
  feature_id text not null references rating_features,
  -- Null: closed without a rating.
  rating text check (rating in ('Up', 'Down')),
  comments text not null default '',
  at timestamptz not null,
  primary key (account_id, feature_id)
);
create index ratings_newest on ratings (at desc);
`;

/** Single rights that count until a day. */
export const rightEnds = `
create table account_right_ends (
  account_id bigint not null references accounts on delete cascade,
  -- A view, a permission, or "prices".
  right_name text not null,
  -- The last day (UTC) on which it counts.
  until date not null,
  primary key (account_id, right_name)
);
create index account_right_ends_until on account_right_ends (until);
`;

/** When what is connected was last looked at, and what came of it. */
export const integrationChecks = `
create table integration_checks (
  reseller_id integer not null references resellers,
  guide text not null,
  checked timestamptz not null,
  answers boolean not null,
  primary key (reseller_id, guide)
);
-- When somebody last signed in by it; null: never, or before this was written down.
alter table identities add column last_used timestamptz;
`;

/** The profile of an account that is no user of a customer: users have theirs. Null: the names are those of its display name. */
export const profiles = `
alter table accounts
  add column first_name text,
  add column last_name text,
  add column phone text not null default '',
  add column job_title text not null default '';
`;

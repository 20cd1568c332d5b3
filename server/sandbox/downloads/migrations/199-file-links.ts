/** Links to files, each for one account and one use. */
export const fileLinks = `
create table file_links (
  hash text primary key,
  download_id text not null,
  account_id integer not null references accounts on delete cascade,
  expires timestamptz not null
);
create index file_links_account on file_links (account_id);
`;

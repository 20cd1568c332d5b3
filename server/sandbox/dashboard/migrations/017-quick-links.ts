/** Which quick links an account has chosen; without a row, those that everybody begins with. */
export const quickLinks = `
create table quick_links (
  account_id bigint primary key references accounts on delete cascade,
  chosen text[] not null
);
`;

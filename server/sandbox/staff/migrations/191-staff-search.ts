/** Finds people by name and mail address in an index, since a search key takes time for each of 5,000. */
export const staffSearch = `
create index accounts_search on accounts
  using gin ((search_key(display_name || ' ' || email) collate "C") gin_trgm_ops) where user_type <> 'endUser';
create index accounts_of_customer on accounts (customer_id) where user_type <> 'endUser';
`;

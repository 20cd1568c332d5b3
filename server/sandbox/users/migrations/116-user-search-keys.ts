/** Finds users of all customers by a part of their name or address, without accents. */
export const userSearchKeys = `
drop index users_search;
create index users_search on users
  using gin ((search_key(display_name || chr(10) || email) collate "C") gin_trgm_ops);
`;

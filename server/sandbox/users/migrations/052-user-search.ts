/** Finds users of all customers by a part of their name or address. */
export const userSearch = `
create index users_search on users
  using gin ((lower(display_name collate "und-x-icu" || chr(10) || email) collate "C") gin_trgm_ops);
`;

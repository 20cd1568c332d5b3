/** The names of the groups of a user that a file names, as it writes them. */
export const importGroups = `
alter table user_import_rows add column groups text[] not null default '{}';
`;

/**
 * Keeps what a file of an import has until it is carried out, which columns are recognised in it, and those that its rows are
 * read from (null: somebody has yet to say).
 */
export const userImportColumns = `
alter table user_imports add column content jsonb;
alter table user_imports add column recognised jsonb;
alter table user_imports add column places jsonb;
update user_imports set places = '{}';
`;

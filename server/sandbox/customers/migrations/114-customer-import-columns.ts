/**
 * Keeps what a file of an import has until it is carried out, which columns are recognised in it, and those that its rows are
 * read from (null: somebody has yet to say).
 */
export const customerImportColumns = `
alter table customer_imports add column content jsonb;
alter table customer_imports add column recognised jsonb;
alter table customer_imports add column places jsonb;
update customer_imports set places = '{}';
`;

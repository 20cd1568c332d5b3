/** The language of mails to people of a reseller who have chosen none; null: English. */
export const resellerLocale = `
alter table resellers add column locale text;
`;

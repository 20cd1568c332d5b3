/** The language in which an account wants to be spoken to, as it has always been told of its profile. */
export const locale = `
alter table accounts add column locale text not null default 'en-GB';
`;

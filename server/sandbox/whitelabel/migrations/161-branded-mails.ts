/** Mails show the brand of the reseller whose account they are for; null: of nobody's account. */
export const brandedMails = `
alter table outbox add column reseller_id bigint references resellers on delete set null;
`;

/** The address book of a mailbox, null until somebody edits it: until then it follows the user. */
export const addressBooks = 'alter table mailboxes add column address_book jsonb;';

/** Which mails the link of a mail has stopped, so that it can be undone; and the address of that link in the mail. */
export const stoppedMails = `
alter table notification_ways add column mail_stopped timestamptz, add column digest_stopped timestamptz;
alter table outbox add column unsubscribe text;
`;

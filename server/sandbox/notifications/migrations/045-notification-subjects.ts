/** What a notification is about, so that it can lead there. Older ones, and some of other subjects, have none. */
export const notificationSubjects = `
alter table notifications
  add column organisation_id bigint,
  add column instance_id bigint;
`;

/** What an activity changed, and who really did it where somebody acts in the name of another. */
export const activityDetails = `
alter table activity
  add column real_actor text not null default '',
  add column before text not null default '',
  add column after text not null default '';
`;

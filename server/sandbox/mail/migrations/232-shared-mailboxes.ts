/** Names of mailboxes that are nobody's own, and how a room or a piece of equipment is booked. */
export const sharedMailboxes = `
alter table mailboxes
  add column name text collate "und-x-icu" not null default '',
  add column is_equipment boolean not null default false,
  add column capacity integer not null default 0,
  add column accepts boolean not null default true,
  add column allows_conflicts boolean not null default false,
  add column longest_hours integer not null default 24,
  add column days_ahead integer not null default 180;
create index mailboxes_kind on mailboxes (customer_id, kind, name, id) where kind <> 'user';
`;

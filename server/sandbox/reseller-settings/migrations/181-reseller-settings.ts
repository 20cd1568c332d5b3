/** Settings of a reseller for its customers, with those before the last change; a mail may be blocked by them. */
export const resellerSettings = `
create table reseller_settings (
  reseller_id bigint primary key references resellers on delete cascade,
  -- Empty: the customer's own contact.
  backup_admin text not null default '',
  endpoint_admin text not null default '',
  blocked_mails text[] not null default '{}',
  -- Counts what was saved.
  version integer not null default 1,
  changed_by text not null default '',
  before jsonb
);
alter table outbox drop constraint outbox_state_check;
alter table outbox add constraint outbox_state_check check (state in ('waiting', 'sent', 'given-up', 'blocked'));
`;

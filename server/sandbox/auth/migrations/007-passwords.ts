/** What a new password must be, links to choose one, and how mail goes out. */
export const passwords = `
-- Six types of document 1, section 5. Those with a name stand in the checklist of who chooses a password.
create table password_rules (
  position integer primary key,
  type text not null
    check (type in ('required', 'pattern', 'minLength', 'MinimumScore', 'MinimumLength', 'MultiplePattern')),
  name text,
  value integer,
  patterns text[] not null default '{}',
  message text not null
);
insert into password_rules (position, type, name, value, patterns, message) values
  (1, 'required', null, null, '{}', 'Enter a password'),
  (2, 'minLength', null, 10, '{}', 'Must be a minimum of 10 character(s)'),
  (3, 'pattern', null, null, array['^[^\\u0000-\\u001f\\u007f]*$'], 'Must have no control characters'),
  (4, 'MinimumLength', 'At least 10 characters', 10, '{}', 'Must be a minimum of 10 character(s)'),
  (5, 'MultiplePattern', 'An upper-case letter, a lower-case letter and a digit', null,
    array['\\p{Lu}', '\\p{Ll}', '\\d'], 'Must have an upper-case letter, a lower-case letter and a digit'),
  (6, 'MinimumScore', 'Hard to guess', 3, '{}', 'Must be harder to guess');

alter table accounts add column must_choose_password boolean not null default false;

-- The hash alone is kept: whoever reads the table has no link.
create table password_links (
  hash text primary key,
  account_id bigint not null references accounts on delete cascade,
  created timestamptz not null,
  expires timestamptz not null,
  used timestamptz
);
create index password_links_of on password_links (account_id, created);

alter table outbox
  add column state text not null default 'waiting' check (state in ('waiting', 'sent', 'given-up')),
  add column attempts integer not null default 0,
  add column next_attempt timestamptz,
  add column failure text;
create index outbox_waiting on outbox (id) where state = 'waiting';
`;

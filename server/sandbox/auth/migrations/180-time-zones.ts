/**
 * The language and time zone that an account has chosen (null: as its browser says), the time zone that its browser last
 * said, and the one of its reseller, for mails to who has neither. So far nobody could choose a language.
 */
export const timeZones = `
alter table accounts
  alter column locale drop not null,
  alter column locale drop default,
  add column time_zone text,
  add column browser_time_zone text;
update accounts set locale = null where locale = 'en-GB';
alter table resellers add column time_zone text not null default 'Europe/London';
`;

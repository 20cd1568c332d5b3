/** Tokens that open sites beside the portal, and the questions of the forum: each is good once and for a short time. */
export const siteTokens = `
create table site_tokens (
  id text primary key,
  site text not null,
  expires timestamptz not null,
  used boolean not null default false
);
create index site_tokens_expires on site_tokens (expires);
-- Nonces of the forum that were answered.
create table forum_answers (
  nonce text primary key,
  answered timestamptz not null
);
-- Those that the stand-in of the forum asked with; who signed in by one, and the cookie that it gave them.
create table forum_questions (
  nonce text primary key,
  asked timestamptz not null,
  name text,
  cookie text unique
);
`;

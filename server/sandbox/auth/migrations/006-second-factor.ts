/** Codes of an authenticator app, beside the password (RFC 6238). */
export const secondFactor = `
alter table accounts
  add column mfa_required boolean not null default false,
  -- Base32; null until it has been set up.
  add column mfa_key text,
  -- Offered for setting up, and good only once a code of it has arrived.
  add column mfa_offer text,
  -- The last step of 30 seconds whose code was taken: a code works once.
  add column mfa_step bigint not null default 0;
`;

/** Ways in when the phone is lost, and the count of wrong proofs. */
export const recoveryCodes = `
alter table accounts
  -- Of all codes of the account, so that one hash tells whether a typed one is among them.
  add column recovery_salt text,
  -- Wrong passwords and codes that were given to change the second factor, and when the last one was.
  add column mfa_failures integer not null default 0,
  add column mfa_failed_at timestamptz;

create table recovery_codes (
  account_id bigint not null references accounts on delete cascade,
  -- Argon2id; the row goes with its use.
  hash text not null,
  primary key (account_id, hash)
);
`;

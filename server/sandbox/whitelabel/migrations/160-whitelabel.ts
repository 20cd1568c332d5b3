/**
 * The brand of each reseller that has one, the brand that an account is trying, the logos of both, and by which host
 * names and links people come to a reseller's portal before they have signed in.
 */
export const whitelabelTables = `
create table brand_logos (
  -- SHA-256 of the bytes, base64url: it stands for the content, and nobody can guess it.
  id text primary key,
  type text not null check (type in ('image/png', 'image/svg+xml')),
  content bytea not null,
  -- As shown, in CSS pixels.
  width integer not null,
  height integer not null,
  created timestamptz not null
);

create table brands (
  reseller_id bigint primary key references resellers on delete cascade,
  theme text not null check (theme in ('dark', 'light', 'default')),
  accent text not null,
  desktop_logo text references brand_logos,
  mobile_logo text references brand_logos,
  privacy_url text not null,
  footer text not null,
  version integer not null,
  changed timestamptz not null,
  changed_by text not null,
  -- The brand before the last change, for undoing it; null: there was none, or it was undone.
  before jsonb
);

create table brand_drafts (
  account_id bigint primary key references accounts on delete cascade,
  theme text not null,
  accent text not null,
  desktop_logo text references brand_logos,
  mobile_logo text references brand_logos,
  privacy_url text not null,
  footer text not null,
  -- Of the saved brand when the trial began: another one since is not overwritten.
  base_version integer not null,
  -- Shown to the account on every page until then.
  until timestamptz not null
);

create table brand_addresses (
  address text primary key,
  kind text not null check (kind in ('host', 'link')),
  reseller_id bigint not null references resellers on delete cascade
);
create index brand_addresses_reseller on brand_addresses (reseller_id);
`;

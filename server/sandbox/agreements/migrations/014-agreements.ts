/** Service agreements in versions, signed for a whole reseller, with a picture of the signature. */
export const agreements = `
alter table agreements
  drop column paragraphs,
  -- What is sold under it (agreement service ids), and what has to be signed with it.
  add column service_ids integer[] not null default '{}',
  add column linked_ids bigint[] not null default '{}';

create table agreement_versions (
  agreement_id bigint not null references agreements on delete cascade,
  version integer not null,
  published timestamptz not null,
  -- In the shape of a policy's sections.
  sections jsonb not null,
  primary key (agreement_id, version)
);

create table signature_images (
  id uuid primary key default gen_random_uuid(),
  account_id bigint not null references accounts on delete cascade,
  png bytea not null,
  created timestamptz not null
);

alter table agreement_signatures
  add column version integer not null default 1,
  add column reseller_id bigint references resellers,
  add column image_id uuid references signature_images;
update agreement_signatures s set reseller_id = a.reseller_id from accounts a where a.id = s.account_id;
alter table agreement_signatures
  alter column reseller_id set not null,
  drop constraint agreement_signatures_pkey,
  add primary key (agreement_id, version, account_id);
create index agreement_signatures_reseller on agreement_signatures (reseller_id, agreement_id, version);

update account_permissions p set permissions = array_append(permissions, 'signAgreements')
from accounts a where a.id = p.account_id and a.user_type = 'reseller' and not 'signAgreements' = any(permissions);
`;

/** What a product is offered for, and what a user of a customer holds alone. */
export const marketplace = `
alter table products
  add column type text not null default 'modernWorkplace'
    check (type in ('modernWorkplace', 'cloudInfrastructure', 'security', 'backupContinuity')),
  add column monthly_price_eur numeric(10, 2) not null default 0,
  -- Texts, terms, billing, fields: see marketplace/offer.ts.
  add column offer jsonb not null default '{}';

-- A service that one user holds; null: the customer as a whole.
alter table service_instances add column user_id bigint references users on delete cascade;
create index service_instances_user on service_instances (user_id) where user_id is not null;
create index service_instances_product on service_instances (reseller_id, service_id, sub_id, status);

-- Whether the customer already has a partner for its office suite: 0 none, 1 us, 2 another one.
alter table customers add column partner_id smallint not null default 0 check (partner_id between 0 and 2);
`;

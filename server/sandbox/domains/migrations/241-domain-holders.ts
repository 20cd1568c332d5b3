/** Whose a domain is, of all organisations: also of those that a limited account does not see. */
export const domainHolders = `
create function holder_of_domain(wanted text) returns uuid language sql stable set search_path from current as $$
  select customer_id from organisation_domains where ascii = wanted
$$;
create index organisation_domains_delayed on organisation_domains (checked nulls first, id) where state = 'Delayed';
`;

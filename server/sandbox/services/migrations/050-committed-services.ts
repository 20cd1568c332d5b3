/** Finds the services that renew, by their reseller: few of all that it has. */
export const committedServices = `
create index service_instances_committed on service_instances (reseller_id)
  where status = 'Active' and term_id not in ('monthly', 'once');
`;

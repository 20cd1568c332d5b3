/** The operator's other systems that a reseller's account is linked to. */
export const linkedSystems = `
alter table resellers
  add column linked_systems text[] not null default '{comms}'
    check (linked_systems <@ '{comms,hardware,distribution}');
`;

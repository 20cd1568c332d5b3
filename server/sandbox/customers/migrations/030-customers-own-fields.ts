/** In an order for many each customer has answers of its own; the fields of what is sold already say which these are. */
export const customersOwnFields = `
alter table bulk_items add column fields jsonb not null default '{}';

update products set offer = jsonb_set(offer, '{Fields}', (
  select coalesce(jsonb_agg(field || jsonb_build_object(
    'PerCustomer',
      field ->> 'PropertyName' in ('Domain', 'AdminEmail', 'HostName', 'AreaCode', 'DeliveryAddress'),
    'Prefill', case field ->> 'PropertyName' when 'Domain' then 'Domain' when 'AdminEmail' then 'ContactEmail'
      when 'DeliveryAddress' then 'Address' else '' end) order by place), '[]')
  from jsonb_array_elements(offer -> 'Fields') with ordinality as fields (field, place)));
`;

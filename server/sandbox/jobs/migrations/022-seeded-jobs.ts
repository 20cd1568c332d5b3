/** What changes in the seed is carried out by jobs too; those that were under way go on. */
export const seededJobs = `
-- Why its first attempt fails, where that is known beforehand.
alter table jobs add column fails text;

insert into jobs (instance_id, kind, done, due, fails)
  select id, kind, array_fill(last_change, array[case when kind = 'activate' and next_reason is null then 3 else 2 end]),
    due, next_reason
  from service_instances, lateral (select case status when 'Deleting' then 'delete' else 'activate' end as kind) as change
  where next_status is not null and due is not null and status in ('Activating', 'Deleting')
  on conflict do nothing;

alter table service_instances drop column next_status, drop column next_reason, drop column due;
`;

/**
 * When the term of a service began and when it ends, each in one place for every page that tells it. A term ends at the
 * same time of the day of the month that it began on, or on the last day of a shorter month, and renews each time.
 */
export const termsBegan = `
alter table service_instances add column term_began timestamptz not null
  generated always as (coalesce(term_started, created)) stored;

create function end_of_term(began timestamptz, months integer, at timestamptz) returns timestamptz
language sql immutable strict parallel safe as $$
  select (started + (terms + case when started + terms * months * interval '1 month' > at at time zone 'UTC' then 0 else 1 end)
    * months * interval '1 month') at time zone 'UTC'
  from (
    select began at time zone 'UTC' as started, greatest(1, ((
      extract(year from at at time zone 'UTC') - extract(year from began at time zone 'UTC')) * 12
      + extract(month from at at time zone 'UTC') - extract(month from began at time zone 'UTC'))::int / months) as terms
  ) elapsed
$$;
`;

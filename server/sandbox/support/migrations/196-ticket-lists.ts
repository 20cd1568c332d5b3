/**
 * A page of many tickets is chosen by one index, and their search reads one column: the name of the customer stands on the
 * ticket, and each order that lists have is an index with what they are narrowed by.
 */
export const ticketLists = `
alter table tickets drop column search_text;
alter table tickets add customer_name text;
update tickets t set customer_name = c.name from customers c where c.id = t.customer_id;
alter table tickets
  add search_text text collate "C" not null generated always as (search_key(
    id::text || ' ' || subject || ' ' || author || ' ' || product || ' ' || reference || ' ' || coalesce(customer_name, '')
  )) stored,
  add urgency smallint not null generated always as (
    case priority when 'Low' then 1 when 'Normal' then 2 when 'High' then 3 else 4 end) stored;

create function name_ticket_customer() returns trigger language plpgsql set search_path from current as $$
begin
  new.customer_name = (select name from customers where id = new.customer_id);
  return new;
end $$;
create trigger tickets_named before insert or update of customer_id on tickets
  for each row execute function name_ticket_customer();

create function rename_ticket_customer() returns trigger language plpgsql set search_path from current as $$
begin
  update tickets set customer_name = new.name where customer_id = new.id;
  return null;
end $$;
create trigger customers_renamed_on_tickets after update of name on customers
  for each row when (old.name <> new.name) execute function rename_ticket_customer();

create index tickets_search on tickets using gin (search_text gin_trgm_ops);
drop index tickets_of_reseller, tickets_active, tickets_of_author, tickets_of_organisation;
create index tickets_of_reseller on tickets (reseller_id, updated, id)
  include (status, priority, customer_id, account_id);
create index tickets_active on tickets (reseller_id, updated, id)
  include (status, priority, customer_id, account_id) where status <> 'Closed';
create index tickets_by_created on tickets (reseller_id, created, id)
  include (status, priority, customer_id, account_id);
create index tickets_by_subject on tickets (reseller_id, subject, id)
  include (status, priority, customer_id, account_id);
create index tickets_by_urgency on tickets (reseller_id, urgency, id)
  include (status, priority, customer_id, account_id);
create index tickets_of_author on tickets (account_id, updated, id)
  include (reseller_id, status, priority, customer_id, author_customer_id);
create index tickets_of_organisation on tickets (author_customer_id, updated, id)
  include (status, priority, customer_id, account_id);
`;

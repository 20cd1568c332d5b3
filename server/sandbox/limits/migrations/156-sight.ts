/**
 * Counts how often what an account sees of customers has become less. Whoever has kept something that was made for the
 * account, such as a file, knows by the number whether the account could still have it made.
 */
export const sight = `
alter table accounts add column sight integer not null default 0;

create function narrow_account() returns trigger language plpgsql set search_path from current as $$
begin
  new.sight := old.sight + 1;
  return new;
end $$;
create trigger account_narrowed before update of limited on accounts
  for each row when (new.limited and not old.limited) execute function narrow_account();

create function narrow_accounts() returns trigger language plpgsql set search_path from current as $$
begin
  update accounts set sight = sight + 1 where limited and id in (select account_id from gone);
  return null;
end $$;
create trigger account_customers_gone after delete on account_customers
  referencing old table as gone for each statement execute function narrow_accounts();
`;

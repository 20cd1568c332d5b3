/**
 * People who left, as long as that can be undone. `kept` has what each step needs to take itself back. Whoever enables an
 * account again by hand has decided anew: there is nothing to undo any more.
 */
export const departures = `
create table departures (
  id bigint generated always as identity primary key,
  account_id bigint unique references accounts on delete cascade,
  user_id bigint unique references users on delete cascade,
  gone timestamptz not null,
  gone_by text not null,
  undo_until timestamptz not null,
  kept jsonb not null,
  check (account_id is not null or user_id is not null)
);

create function forget_departure_of_account() returns trigger language plpgsql as $$
begin
  delete from departures where account_id = new.id;
  return null;
end
$$;
create trigger account_enabled after update of enabled on accounts for each row
  when (new.enabled and not old.enabled) execute function forget_departure_of_account();

create function forget_departure_of_user() returns trigger language plpgsql as $$
begin
  delete from departures where user_id = new.id;
  return null;
end
$$;
create trigger user_reactivated after update of status on users for each row
  when (new.status = 'Active' and old.status <> 'Active') execute function forget_departure_of_user();
`;

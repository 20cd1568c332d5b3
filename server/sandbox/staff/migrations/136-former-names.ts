/** Names that accounts signed in with before: nobody else gets one, so that what is kept under it stays theirs. */
export const formerNames = `
create table former_sign_in_names (
  name text primary key,
  account_id bigint not null references accounts on delete cascade,
  until timestamptz not null
);
create index former_sign_in_names_of_account on former_sign_in_names (account_id);

-- As a name that is taken, whichever way somebody comes to it.
create function refuse_former_name() returns trigger language plpgsql as $$
begin
  if exists (select from former_sign_in_names f where f.name = lower(new.username) and f.account_id <> new.id) then
    raise unique_violation using message = 'the sign-in name was that of another account',
      constraint = 'accounts_username', table = 'accounts';
  end if;
  return new;
end
$$;
create trigger account_named before insert or update of username on accounts
  for each row execute function refuse_former_name();
`;

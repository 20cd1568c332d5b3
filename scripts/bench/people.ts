import { sql } from 'kysely';
import { limitAccount } from '../../test/fixtures/limit-account.ts';
import type { StartedSandbox } from '../../test/fixtures/sandbox.ts';
import type { Measure } from './report.ts';
import { benchSandbox } from './sandbox.ts';

const owner = 'large@bigreseller.test';
/** Sees half of the customers, by ticks. */
const limited = 'person7@bigreseller.test';
const [people, roles] = [5_000, 200];

const questions: Readonly<Record<string, string>> = {
  'staff, page 1': '/api/staff?page=1&pageSize=25',
  'staff, page 200': '/api/staff?page=200&pageSize=25',
  'staff, a word': '/api/staff?page=1&pageSize=25&search=person+77',
  'staff, by last sign-in': '/api/staff?page=1&pageSize=25&sort=-LastSignIn',
  'roles, page 1': '/api/roles?page=1&pageSize=25',
  'roles, a word': '/api/roles?page=1&pageSize=25&search=role+7',
  'rights of a person': '/api/users/person9@bigreseller.test/roles',
  'roles for a person': '/api/users/person9@bigreseller.test/available-roles',
  'a person': '/api/staff/person9@bigreseller.test',
  'a limit of half of the customers': `/api/staff/${limited}/customer-limit`,
  'who holds a right': '/api/right-holders?ways=admin:customers&page=1&pageSize=25',
};
const asLimited: Readonly<Record<string, string>> = {
  'customers, page 1': '/api/customers?page=1&pageSize=25&sort=Name',
  'customers, page 1,000': '/api/customers?page=1000&pageSize=25&sort=Name',
  'customers, a word': '/api/customers?page=1&pageSize=25&search=bright',
  'customers, by spend': '/api/customers?page=1&pageSize=25&sort=-MonthlySpend',
};

/** Adds people with roles to the large reseller, a tenth of them limited to 200 customers each, and one to half of all. */
async function addPeople({ db }: StartedSandbox): Promise<void> {
  const { reseller_id, id } = await db
    .selectFrom('accounts')
    .select(['reseller_id', 'id'])
    .where('username', '=', owner)
    .executeTakeFirstOrThrow();
  await sql`
    insert into roles (reseller_id, name, user_type, views, permissions, prices, changed, changed_by)
    select ${reseller_id}, 'Role ' || n, 'admin', r.views, r.permissions, false, now(), 'Bench'
    from generate_series(1, ${roles}::int) n,
      (select views, permissions from roles where reseller_id is null and user_type = 'admin' order by id limit 1) r`.execute(
    db,
  );
  await sql`
    with made as (
      insert into accounts (username, email, display_name, user_type, password_hash, reseller_id, last_sign_in)
      select 'person' || n || '@bigreseller.test', 'person' || n || '@bigreseller.test', 'Person ' || n, 'admin',
        o.password_hash, o.reseller_id, now() - n * interval '1 minute'
      from generate_series(1, ${people}::int) n, accounts o where o.id = ${id}
      returning id),
    held as (
      insert into account_permissions (account_id, views, permissions)
      select made.id, r.views, r.permissions from made,
        (select views, permissions from roles where reseller_id is null and user_type = 'admin' order by id limit 1) r)
    insert into account_roles (account_id, role_id, given, given_by)
    select made.id, r.id, now(), 'Bench' from made, lateral (
      select id from roles where reseller_id = ${reseller_id} and (id + made.id) % ${roles / 2} = 0) r`.execute(db);
  await sql`
    with limited as (
      update accounts set limited = true
      where reseller_id = ${reseller_id} and username like 'person%' and id % 10 = 0 returning id),
    numbered as (
      select id, row_number() over (order by organisation_id) as n from customers where reseller_id = ${reseller_id})
    insert into account_customers (account_id, customer_id, ticked, matched)
    select l.id, c.id, true, false from limited l join numbered c on c.n % 500 = l.id / 10 % 500`.execute(db);
  const half = await db
    .selectFrom('customers')
    .select('organisation_id')
    .where('reseller_id', '=', reseller_id)
    .where(sql<boolean>`organisation_id % 2 = 0`)
    .execute();
  await limitAccount(
    db,
    limited,
    half.map(({ organisation_id }) => organisation_id),
  );
  // As the database does by itself, a while after so many rows have come.
  await sql`vacuum analyze`.execute(db);
}

/** Measures how fast the sandbox answers for 5,000 people with 200 roles, and for one who sees half of 100,000 customers. */
export function benchPeople(): Promise<Measure[]> {
  return benchSandbox({ seed: 'large', account: owner, limit: 50, prepare: addPeople }, [
    ...Object.entries(questions).map(([what, path]) => ({ what: `${people} people: ${what}`, path })),
    ...Object.entries(asLimited).map(([what, path]) => ({ what: `half of the customers: ${what}`, path, as: limited })),
  ]);
}

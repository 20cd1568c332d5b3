import { type SqlBool, sql } from 'kysely';
import { resellerAgreement } from '../agreements/read.ts';
import type { Caller } from '../auth/caller.ts';
import { anyone, invitesEngineers, type Need, permission, view } from '../auth/needs.ts';
import type { Database } from '../tables.ts';

type StarterTask = { readonly needs: Need; readonly isDone: (caller: Caller) => ReturnType<typeof sql<SqlBool>> };

/** Of the reseller of a caller. */
const has = (from: string, more = sql`true`) => ({
  of: ({ resellerId }: Caller) =>
    sql<SqlBool>`exists (select from ${sql.table(from)} t where t.reseller_id = ${resellerId} and ${more})`,
});

/** Things that a new reseller does first: who can do each, and whether the data says that it was done. */
const tasks = {
  Company: {
    needs: view('myBusiness'),
    isDone: has('companies', sql`customer_id is null and '' not in (address1, town_city, post_code, tax_number)`).of,
  },
  Agreement: {
    needs: view('serviceAgreements'),
    isDone: has('agreement_signatures', sql`agreement_id <> ${resellerAgreement}`).of,
  },
  SecondFactor: {
    needs: anyone,
    isDone: ({ accountId }) =>
      sql<SqlBool>`exists (select from accounts where id = ${accountId} and (mfa_key is not null or login_flow = 'SSO'))`,
  },
  Colleague: {
    needs: invitesEngineers,
    isDone: caller =>
      sql<SqlBool>`exists (
        select from accounts where reseller_id = ${caller.resellerId} and customer_id is null and id <> ${caller.accountId})`,
  },
  Brand: { needs: view('settings'), isDone: has('brands').of },
  Payment: { needs: view('billing'), isDone: has('payment_methods', sql`status = 'Active'`).of },
  Customer: { needs: permission('addOrEditCustomers'), isDone: has('customers').of },
  Product: { needs: permission('addProducts'), isDone: has('service_instances').of },
} as const satisfies Readonly<Record<string, StarterTask>>;

type TaskName = keyof typeof tasks;
export const starterTaskNames = Object.keys(tasks) as TaskName[];

/** Reads which of the things that a new reseller does first are done, of those that the caller can do. */
export async function readStarterTasks(db: Database, caller: Caller): Promise<Readonly<Record<string, boolean>>> {
  const mine = starterTaskNames.filter(name => tasks[name].needs.isMet(caller, {}));
  const { rows } = await sql<Record<string, boolean>>`
    select ${sql.join(mine.map(name => sql`${tasks[name].isDone(caller)} as ${sql.ref(name)}`))}`.execute(db);
  return Object.fromEntries(starterTaskNames.map(name => [name, rows[0]?.[name] ?? false]));
}

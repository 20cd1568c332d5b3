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

/** What a new reseller does first, in order: who can do each, and whether the data says that it was done. */
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
export const starterTaskStates = ['Done', 'Open', 'OfOthers'] as const;

/** Reads how far a new reseller is with what it does first. What the caller cannot do is not counted. */
export async function readStarterTasks(db: Database, caller: Caller) {
  const mine = starterTaskNames.filter(name => tasks[name].needs.isMet(caller, {}));
  const { rows } = await sql<{ done: TaskName[] }>`
    select array_remove(array[${sql.join(mine.map(name => sql`case when ${tasks[name].isDone(caller)} then ${name}::text end`))}],
      null) as done`.execute(db);
  const done = new Set(rows[0]!.done);
  const stateOf = (name: TaskName): (typeof starterTaskStates)[number] =>
    done.has(name) ? 'Done' : mine.includes(name) ? 'Open' : 'OfOthers';
  const states = Object.fromEntries(starterTaskNames.map(name => [name, stateOf(name)]));
  return { Done: done.size, Of: mine.length, ...states };
}

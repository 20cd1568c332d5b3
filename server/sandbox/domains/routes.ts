import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { customerIdOf } from '../customers/scope.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, object } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { countDomains, mostDomains } from './resource.ts';

const customer = '/api/customers/:customerId';

/** Adds the routes of domains that no resource can say (document 2, sections 3 and 7). */
export function addDomainRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['domains'], needs: view('customers') });

  route(
    `GET ${customer}/domain-access-info`,
    { reply: object({ CanAdd: boolean }) },
    async ({ caller, params: { customerId } }) => ({ CanAdd: await mayAddDomains(db, caller, customerId) }),
  );
}

/** True where the caller may add a domain: of a customer that is not suspended and has room for one. */
async function mayAddDomains(db: Database, caller: Caller, key: string): Promise<boolean> {
  const id = await customerIdOf(db, caller, key);
  const { suspended } = await db
    .selectFrom('customers')
    .where('id', '=', id)
    .select('suspended')
    .executeTakeFirstOrThrow();
  return !suspended && domainsAreOpenTo(caller) && (await countDomains(db, id)) < mostDomains;
}

const domainsAreOpenTo = (caller: Caller): boolean => view('customerUsers').isMet(caller, {});

import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { customerIdOf } from '../customers/scope.ts';
import { routeAdder } from '../http/route.ts';
import {
  type App,
  boolean,
  date,
  id,
  integer,
  list,
  object,
  orNull,
  pageQuery,
  search,
  string,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { listRecords, readRecords } from './check.ts';
import { countDomains, mostDomains } from './resource.ts';
import { domainStates, recordPurposes, recordStates } from './tables.ts';

const customer = '/api/customers/:customerId';

/** A domain with the DNS records that it should have. */
const records = object({
  DomainId: id,
  Name: string,
  Ascii: string,
  State: { ...string, enum: domainStates },
  Checked: orNull(date),
  IsReady: { ...boolean, description: 'True where every record that mail needs is as it should be.' },
  Right: { ...integer, description: 'How many records are as they should be.' },
  All: integer,
  Records: list(
    object({
      Purpose: { ...string, enum: recordPurposes },
      Type: string,
      Host: string,
      FullName: string,
      Value: { ...string, description: 'What to set.' },
      IsNeeded: { ...boolean, description: 'False where mail works without it.' },
      State: { ...string, enum: recordStates },
      Found: { ...string, description: 'What is set, a record in each line.' },
    }),
  ),
});

const recordPage = object({
  Items: list(
    object({
      ...{
        RecordId: string,
        DomainId: id,
        Domain: string,
        Purpose: { ...string, enum: recordPurposes },
        Type: string,
        FullName: string,
      },
      ...{ Value: string, IsNeeded: boolean, State: { ...string, enum: recordStates }, Found: string },
    }),
  ),
  Total: integer,
  Delayed: { ...string, description: 'Domains whose mail does not arrive yet.' },
});

/** Adds the routes of domains that no resource can say (document 2, sections 3 and 7). */
export function addDomainRoutes(app: App, { db, domain: cloud, domainChecks }: Parts): void {
  const route = routeAdder(app, db, { tags: ['domains'], needs: view('customers') });

  route(
    `GET ${customer}/domain-access-info`,
    { reply: object({ CanAdd: boolean, TakenMain: string }) },
    async ({ caller, params: { customerId } }) => ({
      CanAdd: await mayAddDomains(db, caller, customerId),
      TakenMain: await readTakenMain(db, caller, customerId),
    }),
  );

  route(
    `GET ${customer}/dns-records`,
    { query: pageQuery({ search, state: { enum: ['Right', 'Wrong', 'NotChecked'] } }), reply: recordPage },
    ({ caller, params: { customerId }, query }) => listRecords(db, caller, customerId, cloud, query),
  );

  const one = `${customer}/domains/:domainId` as const;

  route(`GET ${one}/records`, { reply: records }, ({ caller, params }) => readRecords(db, caller, params, cloud));

  route(`POST ${one}/check`, { reply: records }, async ({ caller, params }) => {
    await domainChecks.check(caller, params);
    return readRecords(db, caller, params, cloud);
  });
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

/** The domain that a customer was made with, where it has become another organisation's; '' where it is its own. */
async function readTakenMain(db: Database, caller: Caller, key: string): Promise<string> {
  const id = await customerIdOf(db, caller, key);
  const { domain } = await db
    .selectFrom('customers')
    .where('id', '=', id)
    .select(sql<string>`case when holder_of_domain(lower(domain)) <> id then domain else '' end`.as('domain'))
    .executeTakeFirstOrThrow();
  return domain ?? '';
}

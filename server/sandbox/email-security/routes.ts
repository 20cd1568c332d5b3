import { view } from '../auth/needs.ts';
import { recordActivity } from '../customers/activity.ts';
import { customerIdOf } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, list, number, object, orNull, partial, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { findRow } from '../resource/rows.ts';
import { readEntry } from './list-entry.ts';
import { checkEntry } from './notes.ts';
import { listPaths, securityDomains } from './resource.ts';
import { changeSetting, settings } from './settings.ts';
import { type ListName, listNames, spamLevelNames, spamLevels } from './tables.ts';

const root = '/api/customers/:customerId/email-security';
const one = `${root}/domains/:filteredId` as const;
const removed = {
  White: 'Allowed sender removed',
  Black: 'Blocked sender removed',
  Archive: 'Archive rule removed',
} as const;

/** Adds the routes of email security that no resource can say (document 2, section 7). */
export function addEmailSecurityRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['email security'], needs: view('customers') });
  const write = routeAdder(app, db, { tags: ['email security'], needs: view('customerUsers') });

  route(
    'GET /api/email-security/spam-levels',
    { reply: list(object({ Level: { ...string, enum: spamLevelNames }, HeldFrom: orNull(number) })) },
    () => spamLevelNames.map(Level => ({ Level, HeldFrom: spamLevels[Level] })),
  );

  route(
    `GET ${root}/domain-access-info`,
    { reply: object({ CanAdd: boolean, Domains: list(string) }) },
    async ({ caller, params: { customerId } }) => {
      const Domains = await unfiltered(await customerIdOf(db, caller, customerId));
      return { CanAdd: Domains.length > 0 && view('customerUsers').isMet(caller, {}), Domains };
    },
  );
  /** Names of the customer's domains whose mail is not filtered. */
  const unfiltered = async (customerId: string): Promise<string[]> => {
    const found = await db
      .selectFrom('organisation_domains as d')
      .leftJoin('security_domains as s', 's.id', 'd.id')
      .where('d.customer_id', '=', customerId)
      .where('s.id', 'is', null)
      .select('d.name')
      .orderBy('d.name')
      .execute();
    return found.map(({ name }) => name);
  };

  for (const [name, { field, rule }] of Object.entries(settings))
    write(
      `PUT ${one}/${name}`,
      { once: true, body: object({ [field]: rule }) },
      async ({ trx, caller, params: at, body }) => {
        await changeSetting({ trx, caller, now: now() }, name, at, (body as Record<string, unknown>)[field]);
        return 'The setting was saved.';
      },
    );

  const overlap = object({ List: { ...string, enum: listNames }, Address: string });
  for (const name of listNames) addListRoutes(name);

  function addListRoutes(name: ListName): void {
    const at = `${one}/${listPaths[name]}` as const;
    route(
      `GET ${at}-check`,
      {
        query: partial({ Address: text(320) }),
        reply: object({ Code: string, Address: string, Overlaps: list(overlap) }),
      },
      async ({ caller, params, query }) => {
        const { id } = await findRow(db, securityDomains, caller, params);
        return await checkEntry(db, id, name, query.Address ?? '');
      },
    );

    write(
      `DELETE ${at}`,
      { once: true, body: object({ Address: text(320) }) },
      async ({ trx, caller, params, body }) => {
        const { id, name: domain, customer_id } = await findRow(trx, securityDomains, caller, params);
        const entry = readEntry(body.Address);
        const address = typeof entry === 'string' ? body.Address : entry.address;
        const gone = await trx
          .deleteFrom('security_entries')
          .where('security_domain_id', '=', id)
          .where('list', '=', name)
          .where('address', '=', address)
          .returning(['address', 'note'])
          .executeTakeFirstOrThrow(notFound);
        const event = {
          action: removed[name],
          target: gone.address,
          detail: domain,
          before: gone.note || gone.address,
        };
        await recordActivity(trx, customer_id, caller, now(), event);
        return 'The entry was removed.';
      },
    );
  }
}

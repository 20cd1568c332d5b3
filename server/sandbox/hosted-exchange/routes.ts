import { view } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, integer, object, partial, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import {
  aliasPage,
  aliasQuery,
  listMailboxes,
  listOrganisationAliases,
  mailboxPage,
  mailboxQuery,
} from './mailbox-lists.ts';
import { removalModel, type Setting, settings } from './setting-declarations.ts';
import { changeSetting, deleteSetting, nameOf, readOrganisation, readSetting } from './settings.ts';

const customer = '/api/customers/:customerId';

/** Adds the routes of a customer's mail as a whole (document 2, section 7). */
export function addHostedExchangeRoutes(app: App, { db, now, domain: cloud }: Parts): void {
  const route = routeAdder(app, db, { tags: ['mail'], needs: view('customerUsers') });

  route(
    `GET ${customer}/mailboxes`,
    { query: mailboxQuery, reply: mailboxPage },
    ({ caller, params: { customerId }, query }) => listMailboxes(db, caller, customerId, query),
  );

  route(
    `GET ${customer}/aliases`,
    { query: aliasQuery, reply: aliasPage },
    ({ caller, params: { customerId }, query }) => listOrganisationAliases(db, caller, customerId, query),
  );

  const exchange = `${customer}/exchange` as const;
  const reads = { needs: view('customers') };
  const common = { Id: string, Version: integer, ChangedBy: string, IsEnabled: boolean };
  const shapeOf = ({ fields }: Setting) => object({ ...common, ...fields });

  route(
    `GET ${exchange}`,
    {
      ...reads,
      reply: object({
        ...{ ExchangeVersion: string, Domains: integer, DelayedDomains: integer, Mailboxes: integer },
        ...Object.fromEntries(settings.map(setting => [nameOf(setting.name), shapeOf(setting)])),
      }),
    },
    ({ caller, params: { customerId } }) => readOrganisation(db, caller, customerId),
  );

  for (const setting of settings) {
    const at = `${exchange}/${setting.name}` as const;
    const reply = shapeOf(setting);

    route(`GET ${at}`, { ...reads, reply }, ({ caller, params: { customerId } }) =>
      readSetting(db, caller, customerId, setting),
    );

    route(
      `${setting.method} ${at}`,
      { once: true, body: partial({ ...setting.fields, Version: integer } as Record<string, typeof integer>), reply },
      ({ trx, caller, params: { customerId }, body }) =>
        changeSetting({ trx, caller, now: now(), cloud }, customerId, setting, body),
    );

    if (!setting.isOnAtFirst)
      route(
        `DELETE ${at}`,
        { once: true, body: object(removalModel), reply },
        ({ trx, caller, params: { customerId }, body }) =>
          deleteSetting({ trx, caller, now: now(), cloud }, customerId, setting, body.Id),
      );
  }
}

import { view } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import type { App } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import {
  aliasPage,
  aliasQuery,
  listMailboxes,
  listOrganisationAliases,
  mailboxPage,
  mailboxQuery,
} from './mailbox-lists.ts';

const customer = '/api/customers/:customerId';

/** Adds the routes of a customer's mail as a whole (document 2, section 7). */
export function addHostedExchangeRoutes(app: App, { db }: Parts): void {
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
}

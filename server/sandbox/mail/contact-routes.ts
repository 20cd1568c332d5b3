import { view } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, id, integer, object } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { addContact, addContacts, changeContact, contactModel, contacts } from './contacts.ts';

/** Adds the writes of mail-enabled contacts (document 2, section 7): one contact, and a list of them. */
export function addContactRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['mail'], needs: view('customerUsers') });
  const all = '/api/customers/:customerId/mail-enabled-contacts' as const;

  route(
    `POST ${all}`,
    { once: true, body: contactModel, made: object({ contactId: id }) },
    async ({ trx, caller, params, body }) => ({
      contactId: String(await addContact({ trx, caller, now: now() }, params.customerId, body)),
    }),
  );

  route(
    `POST ${all}/list`,
    {
      once: true,
      body: object({ Contacts: { type: 'string', minLength: 1, maxLength: 200_000 } }),
      bodyLimit: 512 * 1024,
      reply: object({ Added: integer, Already: integer }),
    },
    ({ trx, caller, params, body }) => addContacts({ trx, caller, now: now() }, params.customerId, body.Contacts),
  );

  route(`PUT ${all}/:contactId`, { once: true, body: contactModel }, async ({ trx, caller, params, body }) => {
    await changeContact({ trx, caller, now: now() }, params, body);
    return `The ${contacts.noun} was saved.`;
  });
}

import { view } from '../auth/needs.ts';
import { CloudError } from '../http/errors.ts';
import { succeed, WithMessage } from '../http/reply.ts';
import { routeAdder } from '../http/route.ts';
import {
  type App,
  boolean,
  date,
  email,
  id,
  integer,
  list,
  object,
  orNull,
  params,
  partial,
  string,
  text,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { accessQuery, holderPage, listHolders, listOpened, openedPage } from './access-lists.ts';
import { addressBook, addressBookModel, changeAddressBook, readAddressBookVersion } from './address-book.ts';
import { addAlias, aliasCheck, aliasList, checkAlias, deleteAlias, listAliases, makePrimary } from './aliases.ts';
import { findAddressHolder } from './holders.ts';
import { findMailbox, readMailbox, roomyBody } from './mailbox.ts';
import { undoChange } from './permission-changes.ts';
import { changePermissions, permissionInfo, permissionModel, readPermissions } from './permissions.ts';
import { confirmRecovery, readRecoveryInfo, startRecovery } from './recovery.ts';

const tags = ['mail'];
const customer = '/api/customers/:customerId';

/**
 * Adds the routes of hosted mail (document 2, section 7): mailboxes with their address book and permissions, and aliases,
 * which distribution groups have too.
 */
export function addMailRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags, needs: view('customerUsers') });

  const permissions = `${customer}/mailboxes/:mailbox/permissions` as const;

  route(`GET ${permissions}`, { reply: permissionInfo }, ({ caller, params: at }) =>
    readPermissions(db, caller, at.customerId, at.mailbox),
  );

  route(
    `PUT ${permissions}`,
    { body: permissionModel, bodyLimit: roomyBody, reply: object({ ChangeId: orNull(id) }) },
    async ({ caller, params: at, body }) => {
      const change = await changePermissions(db, caller, at.customerId, at.mailbox, body, now());
      const ChangeId = change === null ? null : String(change);
      return new WithMessage({ ChangeId }, 'The permissions were updated.');
    },
  );

  route(
    `POST ${customer}/mail-permission-changes/:changeId/undo`,
    { once: true },
    async ({ trx, caller, params: at }) => {
      await undoChange(trx, caller, at.customerId, at.changeId, now());
      return 'The permissions are as they were.';
    },
  );

  const mailbox = `${customer}/mailboxes/:mailbox` as const;

  route(`GET ${mailbox}/holders`, { query: accessQuery, reply: holderPage }, ({ caller, params: at, query }) =>
    listHolders(db, caller, at, query),
  );

  route(`GET ${mailbox}/opened-mailboxes`, { query: accessQuery, reply: openedPage }, ({ caller, params: at, query }) =>
    listOpened(db, caller, at, query),
  );

  route(
    `GET ${mailbox}`,
    { reply: object({ Address: string, UserId: orNull(id), Name: string, QuotaMb: integer, UsedMb: integer }) },
    ({ caller, params: at }) => readMailbox(db, caller, at.customerId, at.mailbox),
  );

  route(`GET ${mailbox}/address-book`, { reply: addressBook }, async ({ caller, params: at }) =>
    readAddressBookVersion(db, await findMailbox(db, caller, at.customerId, at.mailbox)),
  );

  route(`PUT ${mailbox}/address-book`, { body: addressBookModel }, async ({ caller, params: at, body }) => {
    await changeAddressBook(db, caller, at, body, now());
    return 'The address book was saved.';
  });

  route(`GET ${mailbox}/aliases`, { reply: aliasList }, async ({ caller, params: at }) =>
    listAliases(db, await findAddressHolder(db, caller, at.customerId, at.mailbox)),
  );

  route(
    `GET ${mailbox}/alias-check`,
    { query: partial({ Alias: text(320) }), reply: aliasCheck },
    async ({ caller, params: at, query }) =>
      checkAlias(db, await findAddressHolder(db, caller, at.customerId, at.mailbox), query.Alias ?? ''),
  );

  route(
    `POST ${mailbox}/aliases`,
    { once: true, body: partial({ Alias: text(320), UserEmail: text(320) }, 'Alias') },
    async ({ trx, caller, params: at, body }) => {
      await addAlias({ trx, caller, now: now() }, at, body.Alias);
      return 'The alias was added.';
    },
  );

  route(`DELETE ${mailbox}/aliases/:alias`, { once: true }, async ({ trx, caller, params: at }) => {
    await deleteAlias({ trx, caller, now: now() }, at, at.alias);
    return 'The alias was deleted.';
  });

  route(`POST ${mailbox}/aliases/:alias/make-primary`, { once: true }, async ({ trx, caller, params: at }) => {
    await makePrimary({ trx, caller, now: now() }, at, at.alias);
    return 'The address is the primary one now.';
  });
}

const moment = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$',
  description: 'A moment in UTC (RFC 3339).',
} as const;
const request = { Address: email, StartDate: moment, EndDate: moment, Deliver: text(253) } as const;
const info = {
  DomainName: string,
  IsUserMessage: boolean,
  IsDomMessage: boolean,
  MaxDate: date,
  MinDate: date,
  Deliver: string,
};
const confirmed = {
  Restore: string,
  FromDate: string,
  ToDate: string,
  EmailCount: integer,
  Duration: string,
  ResDomain: string,
  EpFrom: { ...string, description: 'Epoch milliseconds in 13 digits, between one character before and one after.' },
  EpTo: { ...string, description: 'As EpFrom.' },
  Deliver: string,
};
const started = {
  type: 'object',
  properties: {
    Succeed: boolean,
    Result: boolean,
    Error: { ...string, description: 'Why it was not started, in words.' },
    Errors: { type: 'object', additionalProperties: list(string) },
  },
};

/**
 * Adds the routes of mail recovery (document 2, sections 3, 4 and 7), which delivers mail of the last two weeks again.
 */
export function addRecoveryRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags, needs: view('manageService') });

  const at = `${customer}/disaster-recovery` as const;

  route(
    `POST ${at}/info`,
    { body: object({ Address: email }), reply: object(info) },
    ({ caller, params: { customerId }, body }) => readRecoveryInfo(db, caller, customerId, body.Address, now()),
  );

  route(
    `POST ${at}/confirm`,
    { body: object(request), reply: object(confirmed) },
    ({ caller, params: { customerId }, body }) => confirmRecovery(db, caller, customerId, body, now()),
  );

  app.post(
    `${at}/start`,
    {
      config: { needs: view('manageService') },
      schema: {
        tags,
        params: params('customerId'),
        body: object({ ...request, Password: { type: 'string', maxLength: 256 } }),
        response: { 200: started, '4xx': started, '5xx': started },
      },
    },
    async ({ signedIn, params: { customerId }, body }, reply) => {
      try {
        await startRecovery(db, signedIn, customerId, body, now());
        return succeed(true);
      } catch (error) {
        if (!(error instanceof CloudError)) throw error;
        const { status, message, fields } = error;
        return reply
          .code(status as 400)
          .send({ Succeed: false, Result: false, Error: message, ...(fields && { Errors: fields }) });
      }
    },
  );
}

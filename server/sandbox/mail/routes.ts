import { view } from '../auth/needs.ts';
import { CloudError } from '../http/errors.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, boolean, date, email, integer, list, object, params, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { changeMembers, readMembers } from './groups.ts';
import { entries, given, roomyBody } from './mailbox.ts';
import { changePermissions, permissionInfo, permissionModel, readPermissions } from './permissions.ts';
import { confirmRecovery, readRecoveryInfo, startRecovery } from './recovery.ts';

const membersModel = {
  type: 'object',
  additionalProperties: false,
  required: ['Members'],
  properties: { Members: given, Others: given },
} as const;

const tags = ['mail'];
const writes = { needs: view('customerUsers') };
const customer = '/api/customers/:customerId';

/**
 * Adds the routes of hosted mail (document 2, section 7): permissions on mailboxes, and members of distribution groups.
 */
export function addMailRoutes(app: App, { db, now }: Parts): void {
  const permissions = `${customer}/mailboxes/:mailbox/permissions` as const;
  const ofMailbox = params('customerId', 'mailbox');

  app.get(
    permissions,
    { config: writes, schema: { tags, params: ofMailbox, response: replies(permissionInfo) } },
    async ({ signedIn, params: at }) => succeed(await readPermissions(db, signedIn, at.customerId, at.mailbox)),
  );

  app.put(
    permissions,
    {
      config: writes,
      bodyLimit: roomyBody,
      schema: { tags, params: ofMailbox, body: permissionModel, response: replies() },
    },
    async ({ signedIn, params: at, body }) => {
      await changePermissions(db, signedIn, at.customerId, at.mailbox, body, now());
      return done('The permissions were updated.');
    },
  );

  const members = `${customer}/distribution-groups/:groupId/members` as const;
  const ofGroup = params('customerId', 'groupId');

  app.get(
    members,
    {
      config: writes,
      schema: {
        tags,
        params: ofGroup,
        response: replies(object({ Name: string, Address: string, Members: entries, Others: entries })),
      },
    },
    async ({ signedIn, params: at }) => succeed(await readMembers(db, signedIn, at)),
  );

  app.put(
    members,
    {
      config: writes,
      bodyLimit: roomyBody,
      schema: { tags, params: ofGroup, body: membersModel, response: replies() },
    },
    async ({ signedIn, params: at, body }) => {
      await changeMembers(
        db,
        signedIn,
        at,
        body.Members.map(one => one.EmailAddress),
        now(),
      );
      return done('The members were saved.');
    },
  );
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
  const config = { needs: view('manageService') };
  const at = `${customer}/disaster-recovery` as const;
  const ofCustomer = params('customerId');

  app.post(
    `${at}/info`,
    { config, schema: { tags, params: ofCustomer, body: object({ Address: email }), response: replies(object(info)) } },
    async ({ signedIn, params: { customerId }, body }) =>
      succeed(await readRecoveryInfo(db, signedIn, customerId, body.Address, now())),
  );

  app.post(
    `${at}/confirm`,
    { config, schema: { tags, params: ofCustomer, body: object(request), response: replies(object(confirmed)) } },
    async ({ signedIn, params: { customerId }, body }) =>
      succeed(await confirmRecovery(db, signedIn, customerId, body, now())),
  );

  app.post(
    `${at}/start`,
    {
      config,
      schema: {
        tags,
        params: ofCustomer,
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

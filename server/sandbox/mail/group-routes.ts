import { view } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, integer, list, object, pageQuery, partial, search, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import {
  addMembers,
  changeMembers,
  listMembers,
  memberFields,
  memberKinds,
  memberOrders,
  readMembership,
  removeMember,
} from './group-members.ts';
import { changeManagers, changeSenders, people, readManagers, readSenders } from './group-people.ts';
import { readGroupAccess } from './groups.ts';
import { entries, given, roomyBody } from './mailbox.ts';
import { groupSenders } from './tables.ts';

const customer = '/api/customers/:customerId';
const group = `${customer}/distribution-groups/:groupId` as const;

const countsOf = <const K extends string>(kinds: readonly K[]) =>
  object({ All: integer, ...(Object.fromEntries(kinds.map(kind => [kind, integer])) as Record<K, typeof integer>) });
const membersPage = object({ Items: list(memberFields.schema), Total: integer, Counts: countsOf(memberKinds) });
const membersQuery = pageQuery({
  search,
  sort: { enum: memberOrders, default: 'Name' },
  kind: { enum: memberKinds },
} as const);
/** Room for as many addresses as a group may have. */
const typedAddresses = { type: 'string', minLength: 1, maxLength: 1_500_000 } as const;

const addressesOf = (those: readonly { readonly EmailAddress: string }[]): string[] =>
  those.map(one => one.EmailAddress);

/** Adds the routes of distribution groups that no resource can say (document 2, sections 3 and 7). */
export function addGroupRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['mail'], needs: view('customerUsers') });

  route(
    `GET ${customer}/distribution-group-access-info`,
    { needs: view('customers'), reply: object({ CanAdd: boolean, DisplayDns: boolean }) },
    ({ caller, params }) => readGroupAccess(db, caller, params.customerId),
  );

  route(`GET ${group}/members`, { query: membersQuery, reply: membersPage }, ({ caller, params, query }) =>
    listMembers(db, caller, params, query as Parameters<typeof listMembers>[3]),
  );

  route(
    `POST ${group}/members`,
    {
      once: true,
      body: object({ Addresses: typedAddresses }),
      bodyLimit: roomyBody,
      reply: object({ Added: integer, Already: integer }),
    },
    ({ trx, caller, params, body }) => addMembers({ trx, caller, now: now() }, params, body.Addresses),
  );

  route(`DELETE ${group}/members/:address`, { once: true }, async ({ trx, caller, params }) => {
    await removeMember({ trx, caller, now: now() }, params, params.address);
    return 'The member was removed.';
  });

  route(`GET ${group}/membership`, { reply: object({ Members: entries, Others: entries }) }, ({ caller, params }) =>
    readMembership(db, caller, params),
  );

  route(
    `PUT ${group}/membership`,
    { once: true, body: partial({ Members: given, Others: given }, 'Members'), bodyLimit: roomyBody },
    async ({ trx, caller, params, body }) => {
      await changeMembers({ trx, caller, now: now() }, params, addressesOf(body.Members));
      return 'The members were saved.';
    },
  );

  route(`GET ${group}/managers`, { reply: object({ Managers: people, Others: people }) }, ({ caller, params }) =>
    readManagers(db, caller, params),
  );

  route(
    `PUT ${group}/managers`,
    { once: true, body: partial({ Managers: given, Others: given }, 'Managers'), bodyLimit: roomyBody },
    async ({ trx, caller, params, body }) => {
      await changeManagers({ trx, caller, now: now() }, params, addressesOf(body.Managers));
      return 'The managers were saved.';
    },
  );

  const senders = { ...string, enum: groupSenders } as const;

  route(
    `GET ${group}/senders`,
    { reply: object({ Senders: senders, Chosen: people, Others: people }) },
    ({ caller, params }) => readSenders(db, caller, params),
  );

  route(
    `PUT ${group}/senders`,
    { once: true, body: partial({ Senders: senders, Chosen: given, Others: given }, 'Senders'), bodyLimit: roomyBody },
    async ({ trx, caller, params, body }) => {
      const chosen = body.Chosen && { Chosen: addressesOf(body.Chosen) };
      await changeSenders({ trx, caller, now: now() }, params, { Senders: body.Senders, ...chosen });
      return 'Who may send was saved.';
    },
  );
}

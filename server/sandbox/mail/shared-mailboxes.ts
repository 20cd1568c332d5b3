import { type Selectable, sql } from 'kysely';
import { view } from '../auth/needs.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import { boolean, date, filled, id, integer, text } from '../http/schema.ts';
import { type Creating, type Field, type Resource, trimmed, type WritingOf } from '../resource/declaration.ts';
import { type Owner, ofCustomer } from '../resource/owners.ts';
import type { Database, Tables, Write } from '../tables.ts';
import { validateAddress } from './aliases.ts';
import { tellPages } from './mailbox.ts';

type MailboxRow = Selectable<Tables['mailboxes']>;
type Kind = Exclude<MailboxRow['kind'], 'user'>;

/** Rooms and pieces of equipment that an organisation may have. */
const mostRooms = 500;
const quotaMb = 51_200;

/** The mailboxes of one kind of the customer that the path names. */
const ofKind = (kind: Kind): Owner => ({
  of: async (db, caller, path) => ({ ...(await ofCustomer.of(db, caller, path)), kind }),
  seeded: async () => undefined,
});

const own = sql.ref('mailboxes.id');
const fields: readonly Field<MailboxRow>[] = [
  { name: 'MailboxId', column: 'id', shape: id },
  { name: 'Name', rule: filled(128), stored: trimmed, sorts: true, searched: true },
  {
    name: 'Address',
    column: () => sql`(select a.address from mail_addresses a where a.mailbox_id = ${own} and a.is_primary)`,
    rule: text(320),
    searched: true,
  },
  {
    name: 'Users',
    column: () => sql`(select count(distinct coalesce(p.user_id, -p.group_id))::int
      from mailbox_permissions p where p.mailbox_id = ${own})`,
    shape: integer,
  },
  { name: 'UsedMb', shape: integer },
  { name: 'QuotaMb', shape: integer, made: () => quotaMb },
  { name: 'Created', shape: date, sorts: true, made: now => now },
];

const needs = view('customerUsers');
const tellOf = ({ trx, caller, row }: WritingOf<MailboxRow>) => tellPages(trx, caller, row.customer_id);

/** What both kinds have in common, but for their list and what a body takes. */
const common = (kind: Kind, full: (db: Database, customerId: string) => Promise<void>) => ({
  tag: 'mail',
  table: 'mailboxes',
  key: 'mailboxId',
  owner: ofKind(kind),
  title: 'Name',
  list: { needs, sort: 'Name', largestPage: 100 },
  read: { needs },
  create: {
    needs,
    async before({ trx, body, owned }: Creating) {
      const customerId = String(owned.customer_id);
      await full(trx, customerId);
      const { refusal } = await validateAddress(trx, customerId, String(body.Address));
      if (refusal) throw refuseField('Address', refusal.code, refusal.data as never);
      return undefined;
    },
    async after({ trx, caller, body, row, now }: WritingOf<MailboxRow>) {
      const { customer_id, id: mailbox_id } = row;
      const { address } = await validateAddress(trx, customer_id, String(body.Address));
      const added = await trx
        .insertInto('mail_addresses')
        .values({ customer_id, mailbox_id, address, is_primary: true, created: now })
        .onConflict(known => known.doNothing())
        .returning('id')
        .executeTakeFirst();
      // Somebody of another organisation was quicker.
      if (!added) throw refuseField('Address', 'AliasElsewhere');
      await tellPages(trx, caller, customer_id);
    },
  },
});

async function countOf(db: Database, customerId: string, kind: Kind): Promise<number> {
  const { all } = await db
    .selectFrom('mailboxes')
    .where('customer_id', '=', customerId)
    .where('kind', '=', kind)
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow();
  return Number(all);
}

/** Refuses a further shared mailbox where the settings of the organisation's mail do not let it have one. */
async function refuseShared(trx: Write, customerId: string): Promise<void> {
  const setting = await trx
    .selectFrom('mail_settings')
    .where('customer_id', '=', customerId)
    .where('name', '=', 'shared-mailboxes')
    .select(['is_on', 'value'])
    .executeTakeFirst();
  if (!setting?.is_on) throw refuseConflict('SharedMailboxesOff');
  const most = Number(setting.value.Most);
  if ((await countOf(trx, customerId, 'shared')) >= most)
    throw refuseConflict('SharedMailboxesFull', { Most: String(most) });
}

async function refuseRooms(db: Database, customerId: string): Promise<void> {
  if ((await countOf(db, customerId, 'room')) >= mostRooms)
    throw refuseConflict('RoomsFull', { Most: String(mostRooms) });
}

const shared = common('shared', (db, customerId) => refuseShared(db as Write, customerId));

/** Mailboxes that several people open, and that are nobody's own; the settings of the organisation say how many. */
export const sharedMailboxes: Resource<MailboxRow> = {
  ...shared,
  noun: 'shared mailbox',
  path: '/api/customers/:customerId/shared-mailboxes',
  fields,
  create: { ...shared.create, takes: ['Name', 'Address'], tells: ['Name'], action: 'Shared mailbox created' },
  change: { needs, takes: ['Name'], action: 'Shared mailbox changed', after: tellOf },
  remove: { needs, tells: ['Name'], action: 'Shared mailbox deleted', after: tellOf },
};

const room = common('room', refuseRooms);
const booking = ['IsEquipment', 'Capacity', 'Accepts', 'AllowsConflicts', 'LongestHours', 'DaysAhead'];

/** Rooms and equipment that are booked by an invitation to their address, with how they answer it. */
export const roomMailboxes: Resource<MailboxRow> = {
  ...room,
  noun: 'room mailbox',
  path: '/api/customers/:customerId/room-mailboxes',
  fields: [
    ...fields,
    { name: 'IsEquipment', shape: boolean, rule: boolean, label: 'Equipment' },
    { name: 'Capacity', shape: integer, rule: { type: 'integer', minimum: 0, maximum: 10_000 }, sorts: true },
    { name: 'Accepts', shape: boolean, rule: boolean, label: 'Accepts by itself' },
    { name: 'AllowsConflicts', shape: boolean, rule: boolean, label: 'Allows conflicts' },
    { name: 'LongestHours', shape: integer, rule: { type: 'integer', minimum: 1, maximum: 720 } },
    { name: 'DaysAhead', shape: integer, rule: { type: 'integer', minimum: 1, maximum: 1080 } },
  ],
  create: {
    ...room.create,
    takes: ['Name', 'Address', ...booking.map(name => `${name}?`)],
    tells: ['Name', ...booking],
    action: 'Room mailbox created',
  },
  change: {
    needs,
    takes: ['Name', ...booking.map(name => `${name}?`)],
    action: 'Room mailbox changed',
    after: tellOf,
  },
  remove: { needs, tells: ['Name'], action: 'Room mailbox deleted', after: tellOf },
};

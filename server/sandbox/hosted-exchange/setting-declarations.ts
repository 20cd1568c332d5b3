import { sql } from 'kysely';
import { type refusalData, refuseConflict, refuseField } from '../http/refusals.ts';
import { boolean, filled, text } from '../http/schema.ts';
import { notify } from '../notifications/store.ts';
import type { Write } from '../tables.ts';

/** The value of a setting by its fields, as they are on the wire. */
export type Value = Readonly<Record<string, unknown>>;
type Place = { readonly trx: Write; readonly customerId: string; readonly cloud: string };

/** A setting of an organisation's mail: its fields, what they are before anybody changes them, and how they are told. */
export type Setting = {
  /** Its segment in addresses. */
  readonly name: string;
  /** What activity calls it. */
  readonly label: string;
  readonly method: 'PUT' | 'POST';
  /** Schemas of its fields in bodies and replies. */
  readonly fields: Readonly<Record<string, object>>;
  readonly initial: Value;
  /** False: there is none until it is set, and it can be deleted. */
  readonly isOnAtFirst: boolean;
  readonly tell: (value: Value) => string;
  /** Refuses by throwing. */
  readonly check?: (value: Value, place: Place) => Promise<void> | void;
  /** Does what belongs to a change. */
  readonly after?: (value: Value, place: Place, now: Date) => Promise<void>;
  readonly checkRemoval?: (place: Place) => Promise<void>;
};

const longText = (maxLength: number) => ({ type: 'string', maxLength, pattern: '^[^\\u0000]*$' }) as const;
const yesNo = (value: unknown) => (value === true ? 'Yes' : 'No');

/** What a signature may take from the address book, in square brackets. */
export const signatureFields = ['Name', 'Title', 'Department', 'Company', 'Phone', 'Email'] as const;

function refuseEmpty(field: string, given: unknown): void {
  if (String(given ?? '').trim() === '') throw refuseField(field, 'MailTextMissing' satisfies keyof typeof refusalData);
}

function checkSignature({ IsOn, Text }: Value): void {
  if (IsOn === true) refuseEmpty('Text', Text);
  const known: readonly string[] = signatureFields;
  const unknown = [...String(Text ?? '').matchAll(/\[([^[\]\n]{1,40})\]/g)].find(
    ([, name = '']) => !known.includes(name),
  );
  if (unknown) throw refuseField('Text', 'SignatureFieldUnknown', { Field: unknown[1] ?? '' });
}

/** Mail that is handed to a host of the organisation itself, or of the cloud, would come back for ever. */
async function checkRoute({ Kind, Host }: Value, { trx, customerId, cloud }: Place): Promise<void> {
  if (Kind !== 'Host') return;
  const host = String(Host ?? '').toLowerCase();
  if (!/^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(host))
    throw refuseField('Host', 'MailHostMalformed');
  const own = await trx
    .selectFrom('organisation_domains')
    .select('ascii')
    .where('customer_id', '=', customerId)
    .execute();
  if (host.endsWith(`.${cloud}`) || own.some(({ ascii }) => ascii === host))
    throw refuseField('Host', 'MailRouteLoops');
}

async function refuseWhileShared({ trx, customerId }: Place): Promise<void> {
  const { all } = await trx
    .selectFrom('mailboxes')
    .where('customer_id', '=', customerId)
    .where('kind', '=', 'shared')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow();
  if (Number(all) > 0) throw refuseConflict('SharedMailboxesExist', { Mailboxes: String(all) });
}

/** A program reads and writes all mailboxes by an account that has a mailbox here. */
async function checkImpersonation({ Account }: Value, { trx, customerId }: Place): Promise<void> {
  const found = await findAccountOf(trx, customerId, String(Account ?? ''));
  if (!found) throw refuseField('Account', 'MailboxUnknown');
}

const findAccountOf = async (trx: Write, customerId: string, address: string) =>
  await trx
    .selectFrom('mail_addresses as a')
    .innerJoin('mailboxes as m', 'm.id', 'a.mailbox_id')
    .where('m.customer_id', '=', customerId)
    .where('m.kind', '=', 'user')
    .where(sql`lower(a.address)`, '=', address.toLowerCase())
    .select('m.user_id')
    .executeTakeFirst();

/** Tells whose account it is, and the administrators of the customer. */
async function tellOfImpersonation({ Account }: Value, { trx, customerId }: Place, now: Date): Promise<void> {
  const found = await findAccountOf(trx, customerId, String(Account));
  const accounts = await trx
    .selectFrom('accounts')
    .where('customer_id', '=', customerId)
    .where(eb => eb.or([eb('user_type', '=', 'endUserAdmin'), eb('user_id', '=', found?.user_id ?? null)]))
    .select('id')
    .limit(500)
    .execute();
  const ids = accounts.map(({ id }) => id);
  const note = {
    ...({ service_name: 'Hosted Exchange', message: 'A program can read all mailboxes', category: 'warning' } as const),
    content: `Programs that sign in as ${Account} can read and write all mailboxes of your organisation now.`,
  };
  await notify(trx, ids, note, now);
}

/** The settings of an organisation's mail (document 2, section 7). */
export const settings: readonly Setting[] = [
  {
    name: 'synchronisation',
    label: 'Synchronisation',
    method: 'PUT',
    fields: { IsOn: boolean, EveryMinutes: { type: 'integer', minimum: 15, maximum: 1440 } },
    initial: { IsOn: false, EveryMinutes: 60 },
    isOnAtFirst: true,
    tell: ({ IsOn, EveryMinutes }) => (IsOn === true ? `Every ${EveryMinutes} minutes` : 'Off'),
  },
  {
    name: 'mobile-access',
    label: 'Mobile access',
    method: 'PUT',
    fields: {
      Access: { type: 'string', enum: ['Allow', 'Ask', 'Block'] },
      IsPinRequired: boolean,
      PinLength: { type: 'integer', minimum: 4, maximum: 16 },
    },
    initial: { Access: 'Allow', IsPinRequired: false, PinLength: 6 },
    isOnAtFirst: true,
    tell: ({ Access, IsPinRequired, PinLength }) =>
      `Devices: ${Access}; PIN: ${IsPinRequired === true ? `${PinLength} digits` : 'No'}`,
  },
  {
    name: 'email-routes',
    label: 'Email route',
    method: 'POST',
    fields: {
      Kind: { type: 'string', enum: ['Direct', 'Host'] },
      Host: text(253),
      Port: { type: 'integer', minimum: 1, maximum: 65_535 },
    },
    initial: { Kind: 'Direct', Host: '', Port: 25 },
    isOnAtFirst: true,
    tell: ({ Kind, Host, Port }) => (Kind === 'Host' ? `${Host}:${Port}` : 'Direct'),
    check: checkRoute,
  },
  {
    name: 'signature',
    label: 'Signature',
    method: 'PUT',
    fields: { IsOn: boolean, Text: longText(4000) },
    initial: { IsOn: false, Text: '' },
    isOnAtFirst: true,
    tell: ({ IsOn, Text }) => `On: ${yesNo(IsOn)}; Text: ${Text || 'None'}`,
    check: checkSignature,
  },
  {
    name: 'disclaimer',
    label: 'Disclaimer',
    method: 'PUT',
    fields: { Text: longText(4000), Where: { type: 'string', enum: ['Outside', 'All'] } },
    initial: { Text: '', Where: 'Outside' },
    isOnAtFirst: false,
    tell: ({ Text, Where }) => `Below mail to: ${Where === 'All' ? 'Everybody' : 'Others'}; Text: ${Text}`,
    check: ({ Text }) => refuseEmpty('Text', Text),
  },
  {
    name: 'public-folders',
    label: 'Public folders',
    method: 'PUT',
    fields: { QuotaGb: { type: 'integer', minimum: 1, maximum: 100 } },
    initial: { QuotaGb: 10 },
    isOnAtFirst: false,
    tell: ({ QuotaGb }) => `${QuotaGb} GB`,
  },
  {
    name: 'shared-mailboxes',
    label: 'Shared mailboxes',
    method: 'PUT',
    fields: { Most: { type: 'integer', minimum: 1, maximum: 500 } },
    initial: { Most: 20 },
    isOnAtFirst: false,
    tell: ({ Most }) => `At most ${Most}`,
    checkRemoval: refuseWhileShared,
  },
  {
    name: 'app-impersonation',
    label: 'App impersonation',
    method: 'PUT',
    fields: { Account: text(254) },
    initial: { Account: '' },
    isOnAtFirst: false,
    tell: ({ Account }) => String(Account),
    check: checkImpersonation,
    after: tellOfImpersonation,
  },
];

export const removalModel = { Id: filled(20) };

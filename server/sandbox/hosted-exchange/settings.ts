import type { Caller } from '../auth/caller.ts';
import { differences, isSame, recordActivity } from '../customers/activity.ts';
import { customerIdOf } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { refuseConflict } from '../http/refusals.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Database, Write } from '../tables.ts';
import { type Setting, settings, type Value } from './setting-declarations.ts';

type Known = {
  readonly id: number | null;
  readonly value: Value;
  readonly isOn: boolean;
  readonly version: number;
  readonly changedBy: string;
};

async function readRow(db: Database, customerId: string, { name, initial, isOnAtFirst }: Setting): Promise<Known> {
  const row = await db
    .selectFrom('mail_settings')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!row) return { id: null, value: initial, isOn: isOnAtFirst, version: 0, changedBy: '' };
  const { id, value, is_on: isOn, version, changed_by: changedBy } = row;
  return { id, value: { ...initial, ...value }, isOn, version, changedBy };
}

const inReply = ({ value, ...known }: Known) => ({
  Id: known.id === null ? '' : String(known.id),
  Version: known.version,
  ChangedBy: known.changedBy,
  IsEnabled: known.isOn,
  ...value,
});

/**
 * Reads a setting of an organisation's mail.
 * @throws {CloudError} 404 when the caller does not see the customer
 */
export async function readSetting(db: Database, caller: Caller, key: string, setting: Setting) {
  return inReply(await readRow(db, await customerIdOf(db, caller, key), setting));
}

/**
 * Reads what an organisation's mail is: its version, how much there is of it, and all its settings by name.
 * @throws {CloudError} 404 when the caller does not see the customer
 */
export async function readOrganisation(db: Database, caller: Caller, key: string) {
  const customerId = await customerIdOf(db, caller, key);
  const counted = await db
    .selectNoFrom(eb => [
      eb
        .selectFrom('organisation_domains')
        .where('customer_id', '=', customerId)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('Domains'),
      eb
        .selectFrom('organisation_domains')
        .where('customer_id', '=', customerId)
        .where('state', '=', 'Delayed')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('DelayedDomains'),
      eb
        .selectFrom('mailboxes')
        .where('customer_id', '=', customerId)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('Mailboxes'),
    ])
    .executeTakeFirstOrThrow();
  const known = await Promise.all(settings.map(setting => readRow(db, customerId, setting)));
  const named = settings.map(({ name }, index) => [nameOf(name), inReply(known[index]!)]);
  return {
    ExchangeVersion: exchangeVersion,
    Domains: Number(counted.Domains),
    DelayedDomains: Number(counted.DelayedDomains),
    Mailboxes: Number(counted.Mailboxes),
    ...(Object.fromEntries(named) as Readonly<Record<string, object>>),
  };
}

/** The version of Exchange that the cloud runs for everybody. */
const exchangeVersion = 'Exchange Server SE';

/** Gives the name of a setting in replies: "mobile-access" is "MobileAccess". */
export const nameOf = (segment: string): string =>
  segment.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

type Change = { readonly trx: Write; readonly caller: Caller; readonly now: Date; readonly cloud: string };

async function store(
  change: Change,
  customerId: string,
  setting: Setting,
  known: Known,
  after: Known,
): Promise<boolean> {
  const { trx, caller, now } = change;
  const told = (one: Known) => ({ [setting.label]: one.isOn ? setting.tell(one.value) : 'None' });
  const differ = differences(told(known), told(after));
  if (isSame(differ)) return false;
  const row = {
    ...{ value: JSON.stringify(after.value), is_on: after.isOn, version: known.version + 1 },
    ...{ changed: now, changed_by: caller.displayName },
  };
  await trx
    .insertInto('mail_settings')
    .values({ customer_id: customerId, name: setting.name, ...row })
    .onConflict(taken => taken.columns(['customer_id', 'name']).doUpdateSet(row))
    .execute();
  const event = { action: 'Mail settings changed', target: setting.label, ...differ };
  await recordActivity(trx, customerId, caller, now, event);
  const audience = { reseller: caller.resellerId, customer: customerId };
  const { organisation_id } = await trx
    .selectFrom('customers')
    .select('organisation_id')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  await sendHint(trx, audience, { kind: 'service-changed', organisationId: String(organisation_id) });
  return true;
}

/**
 * Changes a setting, or puts back one that was deleted. With `Version`, only as it was then.
 * @throws {CloudError} 404 when the caller does not see the customer; 400 as the setting checks; 409 where somebody has
 * changed it since
 */
export async function changeSetting(change: Change, key: string, setting: Setting, body: Value) {
  const customerId = await customerIdOf(change.trx, change.caller, key);
  const known = await readRow(change.trx, customerId, setting);
  const { Version, ...given } = body;
  if (Version !== undefined && Version !== known.version)
    throw refuseConflict('MailSettingChanged', { By: known.changedBy });
  const value = { ...known.value, ...given };
  await setting.check?.(value, { ...change, customerId });
  const isChanged = await store(change, customerId, setting, known, { ...known, value, isOn: true });
  if (isChanged) await setting.after?.(value, { ...change, customerId }, change.now);
  return inReply(await readRow(change.trx, customerId, setting));
}

/**
 * Deletes a setting that its organisation has; its value is kept for who puts it back.
 * @throws {CloudError} 404 when the caller does not see the customer or it has none of that id; 409 as the setting checks
 */
export async function deleteSetting(change: Change, key: string, setting: Setting, id: string) {
  const customerId = await customerIdOf(change.trx, change.caller, key);
  const known = await readRow(change.trx, customerId, setting);
  if (!known.isOn || String(known.id) !== id) throw notFound();
  await setting.checkRemoval?.({ ...change, customerId });
  await store(change, customerId, setting, known, { ...known, isOn: false });
  return inReply(await readRow(change.trx, customerId, setting));
}

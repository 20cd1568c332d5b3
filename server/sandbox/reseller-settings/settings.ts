import type { Caller } from '../auth/caller.ts';
import { differences, isSame, recordActivity } from '../customers/activity.ts';
import { refuseConflict } from '../http/refusals.ts';
import type { Database, Write } from '../tables.ts';
import type { Settings } from './tables.ts';

type OfTable = Omit<Settings, 'time_zone' | 'locale'>;
const untouched: OfTable & { readonly version: number; readonly changed_by: string; readonly before: null } = {
  ...{ backup_admin: '', endpoint_admin: '', blocked_mails: [] },
  ...{ version: 0, changed_by: '', before: null },
};

const regionOf = (db: Database, resellerId: number) =>
  db.selectFrom('resellers').select(['time_zone', 'locale']).where('id', '=', resellerId);

/** Reads what a reseller has set; `untouched` where it has set nothing yet. */
export async function readSettings(db: Database, resellerId: number) {
  const region = await regionOf(db, resellerId).executeTakeFirstOrThrow();
  return { ...((await settingsRow(db, resellerId).executeTakeFirst()) ?? untouched), ...region };
}

const settingsRow = (db: Database, resellerId: number) =>
  db.selectFrom('reseller_settings').selectAll().where('reseller_id', '=', resellerId);

/** Services by who manages them at the customer: Acronis 9 and 18, Bitdefender 12 (document 1, section 3). */
const managedBy: Readonly<Record<number, 'backup_admin' | 'endpoint_admin' | undefined>> = {
  9: 'backup_admin',
  18: 'backup_admin',
  12: 'endpoint_admin',
};

/**
 * Reads who manages a service of customers of a reseller, as the reseller has set; undefined where that is the contact of
 * each customer.
 */
export async function readAdministrator(
  db: Database,
  resellerId: number,
  serviceId: number,
): Promise<string | undefined> {
  const setting = managedBy[serviceId];
  return (setting && (await readSettings(db, resellerId))[setting]) || undefined;
}

const words = { Welcome: 'Welcome', HeldBack: 'Held back as spam', Notification: 'Notifications' } as const;
const inWords = ({ backup_admin, endpoint_admin, blocked_mails, time_zone, locale }: Settings) => ({
  'Backup administrator': backup_admin,
  'Endpoint security administrator': endpoint_admin,
  'Blocked emails': blocked_mails.map(kind => words[kind]).join(', '),
  'Time zone': time_zone,
  Language: locale ?? '',
});

const settingsOf = ({ backup_admin, endpoint_admin, blocked_mails, time_zone, locale }: Settings): Settings => ({
  ...{ backup_admin, endpoint_admin, time_zone, locale },
  blocked_mails: [...blocked_mails],
});

/**
 * Saves what a reseller sets, with what was set before, and records it. Nothing is done where nothing differs.
 * @throws {CloudError} 409 where somebody has changed it since `version` was read
 */
export async function saveSettings(
  trx: Write,
  caller: Caller,
  now: Date,
  change: (read: Awaited<ReturnType<typeof readSettings>>) => Partial<Settings> & { readonly isUndone?: true },
  version?: number,
): Promise<void> {
  const { resellerId, displayName } = caller;
  // The first change of two at once makes the row for both.
  await trx
    .insertInto('reseller_settings')
    .values({ reseller_id: resellerId, version: 0 })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  const row = await settingsRow(trx, resellerId).forUpdate().executeTakeFirstOrThrow();
  const read = { ...row, ...(await regionOf(trx, resellerId).executeTakeFirstOrThrow()) };
  if (version !== undefined && version !== read.version)
    throw refuseConflict('SettingsChanged', { By: read.changed_by });
  const { isUndone, ...changes } = change(read);
  const [before, after] = [settingsOf(read), settingsOf({ ...read, ...changes })];
  const told = differences(inWords(before), inWords(after));
  if (isSame(told)) return;
  const { blocked_mails, time_zone, locale, ...admins } = after;
  await trx.updateTable('resellers').set({ time_zone, locale }).where('id', '=', resellerId).execute();
  await trx
    .updateTable('reseller_settings')
    .set({ ...admins, blocked_mails: [...blocked_mails], changed_by: displayName, version: read.version + 1 })
    .set({ before: isUndone ? null : JSON.stringify(before) })
    .where('reseller_id', '=', resellerId)
    .execute();
  const event = { action: 'Reseller settings changed', target: 'Settings', ...told, views: ['settings'] as const };
  await recordActivity(trx, { resellerId }, caller, now, event);
}

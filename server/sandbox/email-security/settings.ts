import type { JSONSchema } from 'json-schema-to-ts';
import { differences, isSame, recordActivity } from '../customers/activity.ts';
import { readDomainName } from '../domains/names.ts';
import { isEmail } from '../http/formats.ts';
import { refuseField } from '../http/refusals.ts';
import { boolean, string, text } from '../http/schema.ts';
import { labelOf } from '../http/validation.ts';
import type { Writing } from '../mail/mailbox.ts';
import type { Path } from '../resource/owners.ts';
import { findRow } from '../resource/rows.ts';
import { type SecurityDomain, securityDomains } from './resource.ts';
import { archiveLevels, spamLevelNames, virusNotifications } from './tables.ts';

type Column = keyof SecurityDomain & string;
/** A setting of a domain, which has a call of its own. */
type Setting = {
  readonly field: string;
  readonly column: Column;
  readonly rule: JSONSchema;
  /** Refuses by throwing; gives what is stored. */
  readonly read?: (given: string) => string;
};

/** Settings by the last part of their addresses (document 2, section 7). */
export const settings: Readonly<Record<string, Setting>> = {
  'spam-level': { field: 'SpamLevel', column: 'spam_level', rule: { ...string, enum: spamLevelNames } },
  'archive-level': { field: 'ArchiveLevel', column: 'archive_level', rule: { ...string, enum: archiveLevels } },
  'virus-notification': {
    ...{ field: 'VirusNotification', column: 'virus_notification' },
    rule: { ...string, enum: virusNotifications },
  },
  'inbound-delivery': { field: 'InboundHost', column: 'inbound_host', rule: text(253), read: readHost },
  'journaling-feed': { field: 'JournalAddress', column: 'journal_address', rule: text(254), read: readJournal },
  'backscatter-filtering': { field: 'Backscatter', column: 'backscatter', rule: boolean },
};

function readHost(given: string): string {
  if (given.trim() === '') return '';
  const host = readDomainName(given);
  if (!host) throw refuseField('InboundHost', 'DomainMalformed');
  return host.ascii;
}

function readJournal(given: string): string {
  const address = given.trim();
  if (address !== '' && !isEmail(address)) throw refuseField('JournalAddress', 'AddressMalformed');
  return address;
}

/**
 * Changes one setting of a domain and tells of it; what is as before is silent.
 * @throws {CloudError} 404 when the caller does not see the domain, 400 for a value that cannot be
 */
export async function changeSetting({ trx, caller, now }: Writing, name: string, at: Path, given: unknown) {
  const { field, column, read } = settings[name]!;
  const row = await findRow(trx, securityDomains, caller, at);
  const value = typeof given === 'string' ? (read?.(given) ?? given) : given;
  const told = differences({ [labelOf(field)]: `${row[column]}` }, { [labelOf(field)]: `${value}` });
  if (isSame(told)) return;
  await trx
    .updateTable('security_domains')
    .set({ [column]: value })
    .where('id', '=', row.id)
    .execute();
  const event = { action: 'Email security changed', target: row.name, ...told };
  await recordActivity(trx, row.customer_id, caller, now, event);
}

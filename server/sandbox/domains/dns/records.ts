import { sql } from 'kysely';
import type { Database } from '../../tables.ts';
import type { RecordKind } from '../tables.ts';

/** A record of the sandbox's DNS server. */
export type StoredRecord = { readonly name: string; readonly type: RecordKind; readonly value: string };

/** An answer of the server: its records in order, or how it fails. */
export type DnsAnswer =
  | { readonly kind: 'records'; readonly records: readonly StoredRecord[]; readonly isTruncated: boolean }
  | { readonly kind: 'no-name' | 'failed' | 'silent' };

const longestChain = 8;

/**
 * Finds what a resolver answers to a question: CNAME records are followed, and a chain that goes round or is too long
 * fails (RFC 1034, section 5.3.3). A name without records exists where records stand below it (RFC 8020).
 */
export async function answerQuestion(db: Database, name: string, type: string): Promise<DnsAnswer> {
  const records: StoredRecord[] = [];
  const seen = new Set<string>();
  let isTruncated = false;
  for (let at = name.toLowerCase(); ; ) {
    if (seen.has(at) || seen.size > longestChain) return { kind: 'failed' };
    seen.add(at);
    const all = await db.selectFrom('dns_records').where('name', '=', at).selectAll().orderBy('id').execute();
    const faults = all.filter(one => one.type === 'FAULT').map(({ value }) => value);
    if (faults.includes('SILENT')) return { kind: 'silent' };
    if (faults.includes('SERVFAIL')) return { kind: 'failed' };
    isTruncated ||= faults.includes('TRUNCATED');
    const wanted = all.filter(one => one.type === type);
    const alias = all.find(one => one.type === 'CNAME');
    if (wanted.length > 0 || !alias) {
      if (all.length === 0 && !(await hasNamesBelow(db, at))) return { kind: 'no-name' };
      return { kind: 'records', records: [...records, ...wanted], isTruncated };
    }
    records.push(alias);
    at = alias.value.toLowerCase();
  }
}

async function hasNamesBelow(db: Database, name: string): Promise<boolean> {
  const below = await db
    .selectFrom('dns_records')
    .select('id')
    .where(sql<boolean>`right(name, length(${name}) + 1) = '.' || ${name}`)
    .limit(1)
    .executeTakeFirst();
  return below !== undefined;
}

/** Splits a stored TXT record in its strings: those in quotation marks, else parts of at most 255 bytes. */
export function stringsOf(value: string): Buffer[] {
  const quoted = [...value.matchAll(/"([^"]*)"/g)].map(([, part = '']) => part);
  return (quoted.length > 0 ? quoted : [value]).flatMap(part => {
    const bytes = Buffer.from(part);
    const count = Math.max(1, Math.ceil(bytes.length / 255));
    return Array.from({ length: count }, (_, index) => bytes.subarray(index * 255, (index + 1) * 255));
  });
}

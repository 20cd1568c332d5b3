import { sql } from 'kysely';
import type { Database } from '../tables.ts';
import { entriesFor, readEntry } from './list-entry.ts';
import type { ListName } from './tables.ts';

/**
 * Says for who is typing whether this can be an entry of a list, as it would be written, and which entries of a domain
 * say something about the same senders: those that are alike or wider, the narrowest first.
 */
export async function checkEntry(db: Database, domainId: number, list: ListName, typed: string) {
  const entry = readEntry(typed);
  if (typeof entry === 'string') return { Code: entry, Address: typed.trim(), Overlaps: [] };
  const names = entriesFor(entry);
  const { range } = entry;
  const { rows: Overlaps } = await sql<{ List: ListName; Address: string }>`
    select list as "List", address as "Address" from security_entries
    where security_domain_id = ${domainId} and ${
      range
        ? sql`version = ${range.version} and low <= ${`${range.from}`}::numeric and high >= ${`${range.to}`}::numeric`
        : sql`address = any(${names})`
    }
    order by ${range ? sql`high - low` : sql`array_position(${names}::text[], address::text)`}, list limit 10`.execute(
    db,
  );
  const isHeld = Overlaps.some(({ List, Address }) => List === list && Address === entry.address);
  return { Code: isHeld ? ('EntryHeld' as const) : ('Free' as const), Address: entry.address, Overlaps };
}

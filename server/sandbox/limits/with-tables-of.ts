import { type RawBuilder, sql } from 'kysely';
import type { Write } from '../tables.ts';

/**
 * Runs work in a transaction of somebody who sees all, with the tables as `account` sees them, and gives them back. Where
 * it throws, the caller takes the transaction back to before.
 */
export async function withTablesOf<T>(
  trx: Write,
  { accountId, isLimited }: { readonly accountId: number; readonly isLimited: boolean },
  work: () => Promise<T>,
): Promise<T> {
  if (!isLimited) return work();
  const set = (path: RawBuilder<unknown>, account: string) =>
    sql`select set_config('search_path', ${path}, true), set_config('sandbox.account', ${account}, true)`.execute(trx);
  await set(
    sql`quote_ident(current_schema() || '_limited') || ', ' || current_setting('search_path')`,
    String(accountId),
  );
  const result = await work();
  await set(sql`substring(current_setting('search_path') from ', (.*)$')`, '');
  return result;
}

import { sql } from 'kysely';
import type { Write } from './tables.ts';

/**
 * Runs work in a savepoint of a transaction. What it did is taken back where it throws; errors that `isExpected` are given
 * as `refused`, and others thrown on.
 */
export async function inSavepoint<T>(
  trx: Write,
  work: () => Promise<T>,
  isExpected: (error: unknown) => boolean,
): Promise<{ readonly result: T } | { readonly refused: unknown }> {
  await sql`savepoint tried`.execute(trx);
  try {
    const result = await work();
    await sql`release savepoint tried`.execute(trx);
    return { result };
  } catch (error) {
    await sql`rollback to savepoint tried`.execute(trx);
    if (!isExpected(error)) throw error;
    return { refused: error };
  }
}

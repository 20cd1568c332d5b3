import { AsyncLocalStorage } from 'node:async_hooks';
import type { PostgresPool, PostgresPoolClient } from 'kysely';

/** The account whose limit to certain customers the current request is under; undefined: none. */
const current = new AsyncLocalStorage<number | undefined>();

/** Runs work, and all that it awaits, with the tables as an account sees them that is limited to certain customers. */
export const asLimited = <T>(accountId: number, work: () => T): T => current.run(accountId, work);

/** Gives the name of the schema whose views stand before the tables of a schema for who is limited. */
export const limitedSchemaOf = (schema: string): string => `${schema}_limited`;

/**
 * Wraps a pool so that a connection is taken with the tables of whoever takes it: `schema` alone, or the views of
 * `limits/views.ts` before it. A connection that cannot be prepared is thrown away, so that it never serves with the
 * rows of another; without the views nobody who is limited is served.
 */
export function limitPool(pool: PostgresPool, schema: string): PostgresPool {
  /** Accounts that connections were last prepared for; new ones are for nobody in particular. */
  const preparedFor = new WeakMap<PostgresPoolClient, number | undefined>();

  async function prepare(client: PostgresPoolClient, account: number | undefined): Promise<void> {
    if (preparedFor.get(client) === account) return;
    const limited = limitedSchemaOf(schema);
    const path = account === undefined ? `${schema}, public` : `${limited}, ${schema}, public`;
    const { rows } = await client.query(
      `select set_config('search_path', $1, false), set_config('sandbox.account', $2, false)
       from pg_namespace where nspname = $3`,
      [path, account === undefined ? '' : String(account), account === undefined ? schema : limited],
    );
    if (rows.length !== 1) throw new Error('The views for limited accounts are missing.');
    preparedFor.set(client, account);
  }

  return {
    async connect() {
      const client = await pool.connect();
      try {
        await prepare(client, current.getStore());
      } catch (error) {
        (client as PostgresPoolClient & { release(isBroken: boolean): void }).release(true);
        throw error;
      }
      return client;
    },
    end: () => pool.end(),
  };
}

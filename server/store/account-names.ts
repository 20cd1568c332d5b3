import { type RawBuilder, sql } from 'kysely';
import type { Store } from './store.ts';

/** Moves rows that are kept under the names that accounts sign in with. Throws STORE_DOWN. */
export type AccountNames = {
  /** Moves what is kept under a name to the one that the account has from now on. The audit stays as it was written. */
  move(from: string, to: string): Promise<void>;
};

/**
 * SQL for an owner with the new name in place of the old one: an owner is an account and how it acts, such as
 * "20001 by ada@northwind.test".
 */
const renamed = (from: string, to: string): RawBuilder<string> => sql<string>`case
  when owner = ${from} then ${to}::text
  when starts_with(owner, ${`${from} `}) then ${to}::text || substr(owner, ${from.length + 1}::int)
  else left(owner, length(owner) - ${from.length}::int) || ${to}::text end`;

const isOf = (from: string): RawBuilder<boolean> =>
  sql<boolean>`(owner = ${from} or starts_with(owner, ${`${from} `}) or right(owner, ${from.length + 4}) = ${` by ${from}`})`;

/** Creates the function that moves what is kept of an account which is renamed. */
export const createAccountNames = (store: Store): AccountNames => ({
  move: (from, to) =>
    store.run(db =>
      db.transaction().execute(async trx => {
        const name = from.toLowerCase();
        await trx.updateTable('former_names').set({ account: to }).where(sql`lower(account)`, '=', name).execute();
        await trx.deleteFrom('former_names').where('name', '=', to.toLowerCase()).execute();
        await trx
          .insertInto('former_names')
          .values({ name, account: to })
          .onConflict(known => known.column('name').doUpdateSet({ account: to }))
          .execute();
        const owner = renamed(from, to);
        await trx.updateTable('drafts').set({ owner }).where(isOf(from)).execute();
        await trx.updateTable('exports').set({ owner }).where(isOf(from)).execute();
      }),
    ),
});

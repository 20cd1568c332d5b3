import type { Caller } from '../auth/caller.ts';
import { customerIdOf } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import type { Database } from '../tables.ts';

type Columns = Readonly<Record<string, string | number>>;
/** The parameters of a request's path. */
export type Path = Readonly<Record<string, unknown>>;

/** Rule of the rows that a caller reaches, as columns that these rows have. A row of somebody else is 404. */
export type Owner = {
  of(db: Database, caller: Caller, path: Path): Promise<Columns>;
  /** The same for a seeded owner; undefined where people deleted it meanwhile. */
  seeded(db: Database, name: string): Promise<Columns | undefined>;
};

/** The customer that the path names as `customerId`; inside a write it is held until the end. Seeded by OrganisationId. */
export const ofCustomer: Owner = {
  of: async (db, caller, { customerId }) => ({ customer_id: await customerIdOf(db, caller, String(customerId)) }),
  async seeded(db, name) {
    const customers = db.selectFrom('customers').select('id as customer_id');
    return await customers.where('organisation_id', '=', Number(name)).executeTakeFirst();
  },
};

/** The caller's reseller, for its own people only. Seeded by its id. */
export const ofReseller: Owner = {
  async of(_db, { customerId, resellerId }) {
    if (customerId !== null) throw notFound();
    return { reseller_id: resellerId };
  },
  seeded: async (_db, name) => ({ reseller_id: Number(name) }),
};

/** The caller in person. Seeded by username. */
export const ofAccount: Owner = {
  of: async (_db, { accountId }) => ({ account_id: accountId }),
  async seeded(db, name) {
    return await db.selectFrom('accounts').select('id as account_id').where('username', '=', name).executeTakeFirst();
  },
};

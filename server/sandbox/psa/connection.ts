import type { Caller } from '../auth/caller.ts';
import { CloudError } from '../http/errors.ts';
import { flagsOf } from '../marketplace/products.ts';
import type { Database } from '../tables.ts';
import type { PsaAddress } from './records.ts';
import { autotaskPath, connectWisePath } from './stand-in/paths.ts';
import type { PsaProduct } from './tables.ts';

export type PsaFlags = {
  /** UseNewPSAService: the new service answers, else the monolith. */
  readonly isNew: boolean;
  /** PSADataCaching: lists come from the copy, else from the business system itself. */
  readonly isCached: boolean;
  /** PSA-V2: there are product movement and reconciliation. */
  readonly hasReports: boolean;
};

/** Reads which features of the business-system (PSA) integration are switched on for the caller's account. */
export async function psaFlags(db: Database, { accountId }: Caller): Promise<PsaFlags> {
  const flags = await flagsOf(db, accountId);
  return {
    isNew: flags.has('UseNewPSAService'),
    isCached: flags.has('PSADataCaching'),
    hasReports: flags.has('PSA-V2'),
  };
}

/**
 * Refuses a call that the old service (the monolith) never had (document 2, section 8).
 * @throws {CloudError} 409 NotSupported
 */
export function onlyNew({ isNew }: PsaFlags): void {
  if (!isNew)
    throw new CloudError(409, 'NotSupported', ['This method is only supported for new PSA service implementation.']);
}

/** Reads a reseller's connection to a business system, also a switched-off one; undefined without any. */
export const connectionOf = (db: Database, resellerId: number) =>
  db.selectFrom('psa_connections').selectAll().where('reseller_id', '=', resellerId).executeTakeFirst();

type Connection = NonNullable<Awaited<ReturnType<typeof connectionOf>>>;

/** @throws {CloudError} 409 where no business system is connected, or it is switched off */
async function enabledConnection(db: Database, resellerId: number): Promise<Connection> {
  const connection = await connectionOf(db, resellerId);
  if (connection?.enabled) return connection;
  if (connection) throw new CloudError(409, 'SwitchedOff', ['The business system is switched off.']);
  throw new CloudError(409, 'NotConnected', ['No business system is connected.']);
}

/**
 * Gives the caller's flags once its reseller has an enabled business system.
 * @throws {CloudError} 409 without one; with `isNew` also when the caller is not on the new service
 */
export async function permitted(db: Database, caller: Caller, isNew: boolean): Promise<PsaFlags> {
  const flags = await psaFlags(db, caller);
  if (isNew) onlyNew(flags);
  await enabledConnection(db, caller.resellerId);
  return flags;
}

const standIns: Readonly<Record<PsaProduct, string>> = { 1: autotaskPath, 6: connectWisePath };

/**
 * Gives address and credentials of a business system; without an address of its own it is a stand-in of this sandbox,
 * whose address is `own`.
 */
export function psaAddress({ base_url, product, credentials }: Connection, own: string): PsaAddress {
  return { base: base_url ?? `${own}${standIns[product]}`, credentials };
}

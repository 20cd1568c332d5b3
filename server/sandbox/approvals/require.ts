import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../auth/caller.ts';
import type { Act } from '../http/act.ts';
import { ActWaits } from '../http/acts.ts';
import { refuseConflict } from '../http/refusals.ts';
import type { Database, Write } from '../tables.ts';
import type { ActKind, Kind } from './kinds.ts';

/** All of an act but its kind and how many it concerns. */
type Meaning = Omit<Act, 'kind' | 'count'>;

/** Names of whom an act concerns that are kept and shown. */
export const mostNames = 50;

/** Reads above which number acts of a kind wait at a reseller (0: all do); undefined where it demands nothing. */
export async function readDemand(db: Database, resellerId: number, kind: Kind): Promise<number | undefined> {
  const demands = db.selectFrom('approval_demands').select('above').where('reseller_id', '=', resellerId);
  return (await demands.where('kind', '=', kind).executeTakeFirst())?.above;
}

/**
 * Lets an act go on where its reseller demands no second person for it, or where one has approved just this. To be called
 * once all other checks of the act have passed.
 * @param tell gives the rest of what the act means, where somebody has to approve it
 * @throws {ActWaits} where it must wait
 * @throws {CloudError} 409 where it no longer means or costs what was approved, and where the caller acts as another person
 */
export async function requireApproval(
  trx: Write,
  { approved, resellerId, actorName }: Caller,
  { kind, count }: { readonly kind: ActKind; readonly count: number },
  tell: () => Meaning | Promise<Meaning>,
): Promise<void> {
  if (approved !== undefined) {
    if (!isDeepStrictEqual({ ...(await tell()), kind, count }, approved)) throw refuseConflict('ActChanged');
    return;
  }
  const above = kind === 'DemandEased' ? 0 : await readDemand(trx, resellerId, kind);
  if (above === undefined || (above > 0 && count <= above)) return;
  if (actorName !== null) throw refuseConflict('ActAsOneself');
  throw new ActWaits({ ...(await tell()), kind, count });
}

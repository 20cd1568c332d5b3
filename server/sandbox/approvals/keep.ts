import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Acts } from '../http/acts.ts';
import { refuseConflict } from '../http/refusals.ts';
import { tellOutcome } from './tell.ts';

/** An act waits for seven days. */
const lifetime = 7 * 86_400_000;
/** Acts of one account that wait, and the bytes of their bodies: two of the longest orders. */
const mostWaiting = 50;
const mostBytes = 16 * 1024 ** 2;

// Written out, as the index of the table is.
const isWaiting = sql<boolean>`state = 'Waiting'`;

/** Creates what keeps acts until somebody decides on them. */
export const createActs = (now: () => Date): Acts => ({
  routes: new Map(),
  async keep(trx, caller, asked, act) {
    const { accountId, resellerId, displayName, grantId } = caller;
    const stored = JSON.stringify(asked);
    const fingerprint = createHash('sha256').update(stored).digest('base64url');
    const row = { reseller_id: resellerId, fingerprint, asker_id: accountId, asker: displayName, asker_grant: grantId };
    const created = now();
    const kept = await trx
      .insertInto('approvals')
      .values({
        ...{ ...row, kind: act.kind, state: 'Waiting', asked: stored, act: JSON.stringify(act) },
        ...{ created, expires: new Date(created.getTime() + lifetime) },
      })
      .onConflict(same => same.columns(['reseller_id', 'fingerprint']).where(isWaiting).doNothing())
      .returning(['id', 'expires'])
      .executeTakeFirst();
    if (!kept) {
      const { id, expires } = await trx
        .selectFrom('approvals')
        .select(['id', 'expires'])
        .where('reseller_id', '=', resellerId)
        .where('fingerprint', '=', fingerprint)
        .where('state', '=', 'Waiting')
        .executeTakeFirstOrThrow(() => refuseConflict('ActDecided'));
      return { ApprovalId: String(id), Until: expires };
    }
    const { count, bytes } = await trx
      .selectFrom('approvals')
      .where('asker_id', '=', accountId)
      .where('state', '=', 'Waiting')
      .select(sql<number>`count(*)::int`.as('count'))
      .select(sql<number>`coalesce(sum(octet_length(asked::text)), 0)::int`.as('bytes'))
      .executeTakeFirstOrThrow();
    if (count > mostWaiting || bytes > mostBytes) throw refuseConflict('ActsFull', { Most: String(mostWaiting) });
    const { id, expires } = kept;
    await tellOutcome(trx, { ...row, id, act }, 'Asked', { caller, now: created });
    return { ApprovalId: String(id), Until: expires };
  },
});

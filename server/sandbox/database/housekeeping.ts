import type { Database } from './connect.ts';

const day = 86_400_000;

/** Drops what no request can use any more: idempotency keys of yesterday, sign-ins whose tokens have all expired. */
export async function forgetOld(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created', '<', new Date(now.getTime() - day))
    .execute();
  await db
    .deleteFrom('grants as g')
    .where('g.created', '<', new Date(now.getTime() - day))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refresh_tokens as t')
            .select('t.hash')
            .whereRef('t.grant_id', '=', 'g.id')
            .where('t.expires', '>', now)
            .where('g.revoked', 'is', null),
        ),
      ),
    )
    .execute();
}

import type { Database } from './tables.ts';

const day = 86_400_000;

/**
 * Deletes what no request can use any more: idempotency keys and unused signatures older than a day, sign-ins whose
 * tokens have all expired, expired state of the identity providers, expired imports, and staged usage of a load
 * that was killed.
 */
export async function forgetOld(db: Database, now: Date): Promise<void> {
  for (const table of ['spent_tokens', 'provider_records', 'user_imports', 'customer_imports'] as const) {
    await db.deleteFrom(table).where('expires', '<', now).execute();
  }
  await db.deleteFrom('provider_attempts').where('ends', '<', now).execute();
  await db
    .deleteFrom('idempotency_keys')
    .where('created', '<', new Date(now.getTime() - day))
    .execute();
  await db
    .deleteFrom('usage_staged')
    .where('staged', '<', new Date(now.getTime() - day))
    .execute();
  await db
    .deleteFrom('signature_images as image')
    .where('image.created', '<', new Date(now.getTime() - day))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('agreement_signatures as s').select('s.image_id').whereRef('s.image_id', '=', 'image.id'))),
    )
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

import { type RawBuilder, sql } from 'kysely';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Database } from '../tables.ts';

const asJson = (payload: AdapterPayload): RawBuilder<object> => sql`${JSON.stringify(payload)}::jsonb`;

/** Creates the adapter that stores a provider's state (sessions, codes, grants) in the sandbox's database. */
export function createRecords(db: Database, provider: string): (model: string) => Adapter {
  return model => {
    const own = () => db.selectFrom('provider_records').select('payload').where(isOwn);
    const isOwn = sql<boolean>`provider = ${provider} and model = ${model} and (expires is null or expires > now())`;
    return {
      async upsert(id, payload, expiresIn) {
        const row = {
          payload: asJson(payload) as never,
          uid: payload.uid ?? null,
          grant_id: payload.grantId ?? null,
          expires: expiresIn ? new Date(Date.now() + expiresIn * 1000) : null,
        };
        await db
          .insertInto('provider_records')
          .values({ provider, model, id, ...row })
          .onConflict(conflict => conflict.columns(['provider', 'model', 'id']).doUpdateSet(row))
          .execute();
      },
      async find(id) {
        return (await own().where('id', '=', id).executeTakeFirst())?.payload as AdapterPayload | undefined;
      },
      async findByUid(uid) {
        return (await own().where('uid', '=', uid).executeTakeFirst())?.payload as AdapterPayload | undefined;
      },
      // Codes that devices show are not offered.
      findByUserCode: async () => undefined,
      async consume(id) {
        await db
          .updateTable('provider_records')
          .set({ payload: sql`payload || jsonb_build_object('consumed', extract(epoch from now())::bigint)` as never })
          .where(isOwn)
          .where('id', '=', id)
          .execute();
      },
      async destroy(id) {
        await db.deleteFrom('provider_records').where(isOwn).where('id', '=', id).execute();
      },
      async revokeByGrantId(grant) {
        await db.deleteFrom('provider_records').where(isOwn).where('grant_id', '=', grant).execute();
      },
    };
  };
}

/** Deletes what the providers no longer need: their expired state, and attempts to sign in that count no more. */
export async function forgetRecords(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('provider_records').where('expires', '<', now).execute();
  await db.deleteFrom('provider_attempts').where('ends', '<', now).execute();
}

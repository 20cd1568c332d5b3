import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Database, Write } from '../tables.ts';
import { refuseConflict } from './refusals.ts';

/** The `headers` of a route that uses `once`. */
export const idempotencyKey = {
  type: 'object',
  properties: {
    'idempotency-key': { type: 'string', pattern: '^[!-~]{1,100}$', description: 'One for each press of a button.' },
  },
} as const;

/**
 * Runs a write that makes something in one transaction and answers with its reply. The same caller's second request
 * with the same `Idempotency-Key` gets the first one's reply again and makes nothing; while the first is still
 * running, the second waits for it at the key's row. A key without its reply is never committed.
 * @throws {CloudError} 409 when the key was used for another request
 */
export async function once<R extends object>(
  db: Database,
  request: FastifyRequest,
  act: (trx: Write) => Promise<R>,
): Promise<R> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return db.transaction().execute(act);
  const account_id = request.signedIn.accountId;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([request.method, request.url, request.body]))
    .digest('base64url');
  return db.transaction().execute(async trx => {
    const claim = await trx
      .insertInto('idempotency_keys')
      .values({ account_id, key, fingerprint, created: new Date() })
      .onConflict(conflicting => conflicting.doNothing())
      .executeTakeFirst();
    if (claim.numInsertedOrUpdatedRows === 0n) {
      const first = await trx
        .selectFrom('idempotency_keys')
        .select(['fingerprint', 'reply'])
        .where('account_id', '=', account_id)
        .where('key', '=', key)
        .executeTakeFirstOrThrow();
      if (first.fingerprint !== fingerprint) throw refuseConflict('PressUsed');
      return first.reply as R;
    }
    const made = await act(trx);
    await trx
      .updateTable('idempotency_keys')
      .set({ reply: JSON.stringify(made) })
      .where('account_id', '=', account_id)
      .where('key', '=', key)
      .execute();
    return made;
  });
}

/** Deletes keys older than a day: no browser sends their request again. */
export async function forgetKeys(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created', '<', new Date(now.getTime() - 86_400_000))
    .execute();
}

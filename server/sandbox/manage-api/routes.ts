import { parseRange, writeRange } from '../../../shared/rules/ip-address.ts';
import type { Caller } from '../auth/caller.ts';
import { allOf, type Need, view } from '../auth/needs.ts';
import { recordActivity } from '../customers/activity.ts';
import { invalid, notFound } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, date, filled, id, integer, list, object, orNull, partial, string, text } from '../http/schema.ts';
import { hintKeys } from '../integration/hints.ts';
import type { Parts } from '../parts.ts';
import type { Database, Write } from '../tables.ts';
import { makeKey } from './keys.ts';

/** Keys that an account has at most. */
const mostKeys = 10;
/** Addresses of a key at most. */
const mostAddresses = 20;
/** Milliseconds for which the key before is good as well, once there is another. */
const overlap = 86_400_000;
const lives = { enum: ['30', '90', '365'] } as const;

/** The reseller's own people with the settings, by a sign-in of their own and not by a key. */
export const managesKeys: Need = allOf(view('settings'), {
  label: 'people of the reseller in person',
  isMet: ({ customerId, actorName, apiCalls }) => customerId === null && actorName === null && apiCalls === null,
});

const many = (most: number, longest: number) => ({ ...list(text(longest)), maxItems: most });
const registerBody = partial(
  {
    Name: filled(60),
    Days: lives,
    Addresses: many(mostAddresses, 100),
    Operations: { ...many(1000, 100), minItems: 1 },
    Calls: { ...many(2000, 300), minItems: 1 },
  },
  ...(['Name', 'Days', 'Operations', 'Calls'] as const),
);

const key = object({
  KeyId: id,
  Name: string,
  Created: date,
  Expires: date,
  LastUsed: orNull(date),
  LastAddress: string,
  Addresses: { ...string, description: 'From where it may be used; empty: from everywhere.' },
  Operations: integer,
  OldUntil: { ...orNull(date), description: 'Until when the key before is good as well.' },
});
const shownOnce = object({ Key: { ...string, description: 'Told once; only its hash is kept.' }, Name: string });

function rangesOf(addresses: readonly string[]): string[] {
  return addresses.map(written => {
    const range = parseRange(written);
    if (!range) throw invalid({ Addresses: ['One of these is no address or network, such as 192.0.2.0/24.'] });
    return writeRange(range);
  });
}

/** Adds the routes of Manage API (document 2, section 7): an account manages the keys that act in its name. */
export function addManageApiRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['manage-api'], needs: managesKeys });

  const record = async (trx: Write, caller: Caller, action: string, target: string, detail = '') => {
    await recordActivity(trx, { resellerId: caller.resellerId }, caller, now(), {
      ...{ action, target, detail },
      views: ['settings'],
    });
    await hintKeys(trx, caller.accountId);
  };

  const initialised = object({ Items: list(key), Total: integer, MayAdd: { type: 'boolean' } });
  route('GET /api/ManageApi/Initialise', { reply: initialised }, async ({ caller }) => {
    const rows = await keysOf(db, caller).orderBy('name').orderBy('id').execute();
    return {
      Items: rows.map(row => ({
        ...{ KeyId: String(row.id), Name: row.name, Created: row.created, Expires: row.expires },
        ...{ LastUsed: row.last_used, LastAddress: row.last_address ?? '', Addresses: row.addresses.join(', ') },
        Operations: row.operations.length,
        OldUntil: row.old_until !== null && row.old_until > now() ? row.old_until : null,
      })),
      ...{ Total: rows.length, MayAdd: rows.length < mostKeys },
    };
  });

  route('POST /api/ManageApi/Register', { body: registerBody, made: shownOnce }, ({ caller, body }) =>
    db.transaction().execute(async trx => {
      await lockAccount(trx, caller);
      const own = await keysOf(trx, caller).execute();
      if (own.length >= mostKeys)
        throw invalid({ Name: [`You have ${mostKeys} keys, which is as many as there can be.`] });
      const name = body.Name.trim();
      if (own.some(one => one.name.toLowerCase() === name.toLowerCase()))
        throw invalid({ Name: ['You have a key of this name.'] });
      const made = makeKey();
      const created = now();
      const expires = new Date(created.getTime() + Number(body.Days) * 86_400_000);
      await trx
        .insertInto('api_keys')
        .values({
          ...{ account_id: caller.accountId, name, hash: made.hash, old_hash: null, old_until: null },
          ...{ operations: [...new Set(body.Operations)], calls: [...new Set(body.Calls)] },
          ...{ addresses: rangesOf(body.Addresses ?? []), created, expires, last_used: null, last_address: null },
        })
        .execute();
      await record(trx, caller, 'API key created', name, `Operations: ${body.Operations.length}`);
      return { Key: made.key, Name: name };
    }),
  );

  route('POST /api/ManageApi/Regenerate/:keyId', { made: shownOnce }, ({ caller, params: { keyId } }) =>
    db.transaction().execute(async trx => {
      await lockAccount(trx, caller);
      const held = await findKey(trx, caller, keyId);
      if (held.expires <= now()) throw notFound();
      const made = makeKey();
      await trx
        .updateTable('api_keys')
        .set({ hash: made.hash, old_hash: held.hash, old_until: new Date(now().getTime() + overlap) })
        .where('id', '=', held.id)
        .execute();
      await record(trx, caller, 'API key regenerated', held.name);
      return { Key: made.key, Name: held.name };
    }),
  );

  route('POST /api/ManageApi/Revoke/:keyId', { once: true }, async ({ trx, caller, params: { keyId } }) => {
    const { id, name } = await findKey(trx, caller, keyId);
    // Its sign-in goes with it, so that what it opened is over at its next call.
    await trx.deleteFrom('api_keys').where('id', '=', id).execute();
    await record(trx, caller, 'API key revoked', name);
    return 'The key was revoked.';
  });
}

const keysOf = (db: Database, { accountId }: Caller) =>
  db.selectFrom('api_keys').selectAll().where('account_id', '=', accountId);

/** Two presses at the same moment count one after the other. */
const lockAccount = (trx: Write, { accountId }: Caller) =>
  trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().executeTakeFirst();

async function findKey(trx: Write, caller: Caller, keyId: string) {
  if (!/^\d{1,15}$/.test(keyId)) throw notFound();
  const found = await keysOf(trx, caller).where('id', '=', Number(keyId)).forUpdate().executeTakeFirst();
  if (!found) throw notFound();
  return found;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Principal } from '../access/principal.ts';
import { PortalError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { type Acting, writeActing } from './acting.ts';
import { createIdentifier, keyOf } from './identifier.ts';
import { lease, pause, sealTokens, takeLease, unsealTokens } from './tokens.ts';

type Dependencies = { readonly store: Store; readonly now: () => number };

/** Takes the lease on a session's tokens, waiting for an exchange that is under way. Gives their version. */
async function holdTokens({ store, now }: Dependencies, key: string): Promise<number> {
  const deadline = now() + lease;
  for (;;) {
    const row = await store.run(db =>
      db.selectFrom('sessions').select('token_version').where('key', '=', key).executeTakeFirst(),
    );
    if (!row) throw new PortalError('SESSION_ENDED');
    if (await takeLease(store, key, row.token_version, now())) return row.token_version;
    if (now() > deadline) throw new PortalError('UPSTREAM_TIMEOUT', { detail: 'the tokens are being exchanged' });
    await sleep(pause);
  }
}

/**
 * Replaces a session by one with a new identifier, principal and way to act (such as a switched view); start and end
 * stay. Gives the new identifier. Takes the lease on the tokens first: tokens exchanged under the old one would be
 * lost.
 * @throws {PortalError} SESSION_ENDED when the session is gone, UPSTREAM_TIMEOUT when an exchange takes too long
 */
export async function replaceSession(
  parts: Dependencies,
  identifier: string,
  principal: Principal,
  acting: Acting,
): Promise<string> {
  const { store, now } = parts;
  const key = keyOf(identifier);
  const version = await holdTokens(parts, key);
  const next = createIdentifier();
  const at = new Date(now());
  await store.announce(async db => {
    const row = await db
      .deleteFrom('sessions')
      .where('key', '=', key)
      .where('token_version', '=', version)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new PortalError('SESSION_ENDED');
    const values = {
      ...row,
      key: keyOf(next),
      seen_at: at,
      tokens: sealTokens(next, unsealTokens(identifier, row.tokens)),
      exchanging_until: null,
      principal: JSON.stringify(principal),
      principal_at: at,
      acting: writeActing(acting),
    };
    await db.insertInto('sessions').values(values).execute();
    return { kind: 'replaced', session: key };
  });
  return next;
}

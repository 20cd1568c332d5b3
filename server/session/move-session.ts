import { setTimeout as sleep } from 'node:timers/promises';
import { PortalError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { createIdentifier, keyOf } from './identifier.ts';
import { sealTokens, unsealTokens } from './tokens.ts';

const pause = 50;

/**
 * Gives a session a new identifier; the old one is worth nothing from then on. A process that is exchanging the tokens
 * would bring them to the old one, so it is waited for. Throws SESSION_ENDED.
 */
export async function moveSession(store: Store, now: () => number, identifier: string): Promise<string> {
  const [key, next] = [keyOf(identifier), createIdentifier()];
  for (;;) {
    let isExchanging = false;
    let isThere = false;
    await store.announce(async db => {
      const row = await db
        .selectFrom('sessions')
        .select(['tokens', 'exchanging_until'])
        .where('key', '=', key)
        .forUpdate()
        .executeTakeFirst();
      if (!row) return undefined;
      isThere = true;
      isExchanging = row.exchanging_until !== null && row.exchanging_until.getTime() > now();
      if (isExchanging) return undefined;
      const tokens = sealTokens(next, unsealTokens(identifier, row.tokens));
      await db
        .updateTable('sessions')
        .set({ key: keyOf(next), tokens })
        .where('key', '=', key)
        .execute();
      return { kind: 'moved', session: key };
    });
    if (!isThere) throw new PortalError('SESSION_ENDED');
    if (!isExchanging) return next;
    await sleep(pause);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Accounts, Tokens } from '../cloud/accounts.ts';
import { PortalError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { seal, unseal } from './identifier.ts';

/** Lease of a token exchange, in milliseconds; longer than the time limit of the auth service. */
export const lease = 20_000;
export const pause = 50;

export const sealTokens = (identifier: string, tokens: Tokens): string => seal(identifier, JSON.stringify(tokens));
export const unsealTokens = (identifier: string, sealed: string): Tokens =>
  JSON.parse(unseal(identifier, sealed)) as Tokens;

export type Exchange = {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly now: () => number;
  /** Ends a session whose refresh token the cloud refuses. */
  readonly end: (key: string, reason: string) => Promise<void>;
};

/**
 * Gives tokens of a session other than `refused`. Refresh tokens are used once, so of all processes exactly one asks
 * the cloud, marked by a lease in the session's row, and the others take what it brought. No transaction is open
 * while the cloud is asked. Throws SESSION_ENDED when the cloud refuses or the session is gone.
 */
export async function exchangeTokens(
  { store, accounts, now, end }: Exchange,
  key: string,
  identifier: string,
  refused: string,
): Promise<Tokens> {
  const deadline = now() + lease;
  for (;;) {
    const row = await store.run(db =>
      db.selectFrom('sessions').select(['tokens', 'token_version']).where('key', '=', key).executeTakeFirst(),
    );
    if (!row) throw new PortalError('SESSION_ENDED');
    const tokens = unsealTokens(identifier, row.tokens);
    if (tokens.access !== refused && tokens.renewAt > now()) return tokens;
    if (await takeLease(store, key, row.token_version, now())) {
      return bring(await askCloud(tokens, row.token_version), row.token_version);
    }
    if (now() > deadline)
      throw new PortalError('UPSTREAM_TIMEOUT', { detail: 'another process is exchanging the tokens' });
    await sleep(pause);
  }

  async function askCloud(tokens: Tokens, version: number): Promise<Tokens | undefined> {
    try {
      return await accounts.exchangeTokens(tokens.refresh);
    } catch (error) {
      await store.run(db =>
        db
          .updateTable('sessions')
          .set({ exchanging_until: null })
          .where('key', '=', key)
          .where('token_version', '=', version)
          .execute(),
      );
      throw error;
    }
  }

  async function bring(tokens: Tokens | undefined, version: number): Promise<Tokens> {
    if (!tokens) {
      await end(key, 'the cloud refused the refresh token');
      throw new PortalError('SESSION_ENDED');
    }
    const next = { tokens: sealTokens(identifier, tokens), token_version: version + 1, exchanging_until: null };
    await store.run(db => db.updateTable('sessions').set(next).where('key', '=', key).execute());
    return tokens;
  }
}

/** True for the one process that may exchange the tokens of this version now. */
export async function takeLease(store: Store, key: string, version: number, now: number): Promise<boolean> {
  const taken = await store.run(db =>
    db
      .updateTable('sessions')
      .set({ exchanging_until: new Date(now + lease) })
      .where('key', '=', key)
      .where('token_version', '=', version)
      .where(where => where.or([where('exchanging_until', 'is', null), where('exchanging_until', '<', new Date(now))]))
      .returning('key')
      .executeTakeFirst(),
  );
  return taken !== undefined;
}

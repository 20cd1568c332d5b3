import { setTimeout as sleep } from 'node:timers/promises';
import type { Accounts, Tokens } from '../cloud/accounts.ts';
import { PortalError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { seal, unseal } from './identifier.ts';

/** Lease of a token exchange, in milliseconds; longer than the time limit of the auth service. */
export const lease = 20_000;
/** Milliseconds between two looks for the tokens that another process exchanges. */
export const pause = 50;

/** Encrypts tokens under a session's identifier. */
export const sealTokens = (identifier: string, tokens: Tokens): string => seal(identifier, JSON.stringify(tokens));
/** Decrypts what `sealTokens` made. Throws under another identifier. */
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
 * Gives tokens of a session other than `refused` (the access token that the cloud refused). A refresh token can be used
 * once: one process of all exchanges it, marked by a lease in the session's row, and the others wait and read the
 * result. No transaction is open during the exchange.
 * @throws {PortalError} SESSION_ENDED when the cloud refuses the refresh token or the session is gone, UPSTREAM_TIMEOUT
 * when another process takes too long
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

/**
 * Takes the lease to exchange the tokens of this version; false while another process has it, or once the version has
 * changed. A lease ends by itself after `lease`.
 */
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

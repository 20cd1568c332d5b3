import type { Tokens } from '../cloud/accounts.ts';
import type { Credentials } from '../cloud/call.ts';
import { actorOf } from './identity.ts';
import type { Entry, Session } from './session-cache.ts';
import { type Exchange, exchangeTokens } from './tokens.ts';

/** Makes an entry of the cache from what the database holds of a session. */
type OpenEntry = (kept: Omit<Entry, 'session' | 'retryAt' | 'savedSeenAt'>) => Entry;

/** Creates what opens the entries of sessions, whose credentials renew the tokens: once for all who need them together. */
export function createEntries(exchange: Exchange): OpenEntry {
  const exchanging = new Map<string, Promise<Tokens>>();

  async function renew(entry: Entry, refused: string): Promise<string> {
    let running = exchanging.get(entry.key);
    if (!running) {
      running = exchangeTokens(exchange, entry.key, entry.identifier, refused).finally(() =>
        exchanging.delete(entry.key),
      );
      exchanging.set(entry.key, running);
    }
    entry.tokens = await running;
    return entry.tokens.access;
  }

  const credentialsOf = (entry: () => Entry): Credentials => ({
    get actor() {
      return actorOf(entry().principal.facts, entry().account);
    },
    get address() {
      return entry().address;
    },
    token() {
      const { tokens } = entry();
      return tokens.renewAt > exchange.now() ? tokens.access : renew(entry(), tokens.access);
    },
    async renew(refused) {
      const { access } = entry().tokens;
      return access === refused ? renew(entry(), refused) : access;
    },
    end: reason => exchange.end(entry().key, reason),
  });

  return kept => {
    const session: Session = {
      key: kept.key,
      account: kept.account,
      acting: kept.acting,
      get principal() {
        return entry.principal;
      },
      credentials: credentialsOf(() => entry),
    };
    const entry: Entry = { ...kept, session, retryAt: 0, savedSeenAt: kept.seenAt };
    return entry;
  };
}

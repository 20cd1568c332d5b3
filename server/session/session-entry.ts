import type { Tokens } from '../cloud/accounts.ts';
import type { Credentials } from '../cloud/call.ts';
import { actorOf } from './identity.ts';
import type { Entry, Place, Places, Session } from './session-cache.ts';
import { type Exchange, exchangeTokens } from './tokens.ts';

/** A session as the database holds it; `address`: from where it was used when its rights were read. */
type Kept = Omit<Entry, 'places' | 'retryAt' | 'savedSeenAt'> & { readonly address: string };

/** Makes an entry of the cache from what the database holds of a session. */
type OpenEntry = (kept: Kept) => Entry;

/** Addresses of one session that are remembered: those of a phone, an office and a home, and some more. */
const mostPlaces = 8;

/** Creates the places of a session, the first of which the cloud has let in at a moment. */
function createPlaces(first: string, admittedAt: number, sessionAt: (address: string) => Session): Places {
  const places = new Map<string, Place>([[first, { session: sessionAt(first), admittedAt }]]);
  let last = first;
  return {
    at(address) {
      const known = places.get(address);
      if (address === last && known) return known;
      const place = known ?? { session: sessionAt(address), admittedAt: 0 };
      // The one that was asked from last stands last.
      places.delete(address);
      if (places.size >= mostPlaces) places.delete(places.keys().next().value as string);
      places.set(address, place);
      last = address;
      return place;
    },
    last: () => places.get(last) as Place,
    all: () => places.values(),
  };
}

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

  const credentialsOf = (entry: () => Entry, address: string): Credentials => ({
    ...(address !== '' && { address }),
    get actor() {
      return actorOf(entry().principal.facts, entry().account);
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

  return ({ address, ...kept }) => {
    const sessionAt = (from: string): Session => ({
      key: kept.key,
      account: kept.account,
      acting: kept.acting,
      get principal() {
        return entry.principal;
      },
      credentials: credentialsOf(() => entry, from),
    });
    const places = createPlaces(address, kept.principalAt, sessionAt);
    const entry: Entry = { ...kept, places, retryAt: 0, savedSeenAt: kept.seenAt };
    return entry;
  };
}

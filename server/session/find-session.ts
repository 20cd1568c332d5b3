import { setTimeout as sleep } from 'node:timers/promises';
import { networkOf } from '../../shared/rules/ip-address.ts';
import { createRate } from './rate-limit.ts';
import type { Session } from './session-cache.ts';
import type { Sessions } from './sessions.ts';

/** Cookies without a session that one network may bring in a minute before its look-ups go one after another. */
const freeMisses = 300;
/** Milliseconds from one of these that found nothing to the next. */
const pause = 25;

/**
 * Finds the session of a cookie that came from an address; `extend` as in `Sessions.find`. What this process knows
 * costs nothing and is never held back. Any other cookie costs a look into the database: a network that brings many
 * dead or invented ones gets one such look at a time, so that the others keep the rest. A valid session waits its turn
 * there and is never refused. Throws STORE_DOWN.
 */
export type FindSession = (
  identifier: string,
  address: string,
  extend: boolean,
) => Session | undefined | Promise<Session | undefined>;

type Origin = { readonly address: string; readonly network: string };

/** Creates the look-up of sessions by cookie; see `FindSession`. */
export function createFindSession(sessions: Pick<Sessions, 'find' | 'isKnown'>): FindSession {
  const misses = createRate(freeMisses);
  /** The end of the line of each network that has one. */
  const lines = new Map<string, Promise<unknown>>();

  const lookUp = async (
    identifier: string,
    { address, network }: Origin,
    extend: boolean,
  ): Promise<Session | undefined> => {
    const session = await sessions.find(identifier, extend, address);
    if (!session) misses.take(network);
    return session;
  };

  const lookUpInLine = (identifier: string, origin: Origin, extend: boolean): Promise<Session | undefined> => {
    const { network } = origin;
    const next = () => lookUp(identifier, origin, extend);
    const own = (lines.get(network) ?? Promise.resolve()).then(next);
    const over = own.then(
      session => (session ? undefined : sleep(pause)),
      () => sleep(pause),
    );
    lines.set(network, over);
    void over.then(() => {
      if (lines.get(network) === over) lines.delete(network);
    });
    return own;
  };

  return (identifier, address, extend) => {
    if (sessions.isKnown(identifier)) return sessions.find(identifier, extend, address);
    const network = networkOf(address);
    return (misses.isSpent(network) ? lookUpInLine : lookUp)(identifier, { address, network }, extend);
  };
}

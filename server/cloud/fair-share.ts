/** Names the account and the network that a call is made for; neither where nobody in particular asks. */
export type CallCaller = {
  /** The person who really acts. */
  readonly account?: string | undefined;
  /** Network of the browser. */
  readonly network?: string | undefined;
};

/** Divides the calls of a service that may be under way at once. */
export type FairShare = {
  /**
   * Counts a call in, at once or when its caller has room; the function that is given counts it out. Rejects with what
   * `refuse` throws when too much of its caller waits, or when it has waited too long.
   */
  enter(caller: CallCaller, signal: AbortSignal | undefined): (() => void) | Promise<() => void>;
};

/**
 * Calls of one account that are under way, so that those of others stand behind no more in a cloud that works on one
 * after another, and that wait: some screens have a dozen reads, and a browser has several tabs.
 */
export const ofAccount = 12;
export const waitingOfAccount = 48;
/** The part of all calls that one network has, which has many accounts. */
const partOfNetwork = 3;
/** Milliseconds that a call waits for room. */
const longestWait = 5000;

type Waiting = { readonly keys: readonly string[]; admit(): void };

/**
 * Creates the shares of `most` calls at once. One account has a dozen of them and one network a third: what is beyond
 * waits for the caller's own calls to end, up to a number. Room that becomes free goes to whoever has the fewest calls
 * under way.
 */
export function createFairShare(most: number, refuse: () => never): FairShare {
  const counts = new Map<string, number>();
  const queue = new Set<Waiting>();
  let underWay = 0;

  const isAccount = (key: string): boolean => key.startsWith('account ');
  const limitOf = (key: string): number => (isAccount(key) ? ofAccount : Math.ceil(most / partOfNetwork));
  const waitingOf = (key: string): number => (isAccount(key) ? waitingOfAccount : limitOf(key));
  const countOf = (key: string): number => counts.get(key) ?? 0;
  const hasRoom = (keys: readonly string[]): boolean =>
    underWay < most && keys.every(key => countOf(key) < limitOf(key));

  const add = (keys: readonly string[], by: 1 | -1): void => {
    underWay += by;
    for (const key of keys) {
      const count = countOf(key) + by;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    }
  };

  const admitNext = (): void => {
    let next: Waiting | undefined;
    for (const one of queue) {
      if (!hasRoom(one.keys)) continue;
      if (!next || countOf(one.keys[0] as string) < countOf(next.keys[0] as string)) next = one;
    }
    next?.admit();
  };

  const begin = (keys: readonly string[]): (() => void) => {
    add(keys, 1);
    return () => {
      add(keys, -1);
      admitNext();
    };
  };

  const wait = (keys: readonly string[], signal: AbortSignal | undefined): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        queue.delete(waiting);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        leave();
        try {
          refuse();
        } catch (error) {
          reject(error);
        }
      };
      const waiting: Waiting = {
        keys,
        admit() {
          leave();
          resolve(begin(keys));
        },
      };
      const timer = setTimeout(giveUp, longestWait);
      signal?.addEventListener('abort', giveUp);
      queue.add(waiting);
    });

  return {
    enter({ account, network }, signal) {
      const keys = [
        ...(account === undefined ? [] : [`account ${account}`]),
        ...(network === undefined ? [] : [`network ${network}`]),
      ];
      if (hasRoom(keys)) return begin(keys);
      if (keys.length === 0 || signal?.aborted) return refuse();
      for (const key of keys) {
        let waits = 0;
        for (const one of queue) if (one.keys.includes(key)) waits += 1;
        if (waits >= waitingOf(key)) return refuse();
      }
      return wait(keys, signal);
    },
  };
}

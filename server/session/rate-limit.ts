/** Counts requests by key in windows of a minute. */
export type Rate = {
  /** Counts one; false when the key has had all that it may have in this minute. */
  take(key: string): boolean;
  /** True when `take` would be refused; counts nothing. */
  isSpent(key: string): boolean;
};

const window = 60_000;

/**
 * Creates a counter that admits `limit` uses per key and minute. All counts start again each minute, so that memory is
 * bounded by the requests of a minute. Time is that of a clock which nobody sets.
 */
export function createRate(limit: number): Rate {
  let ends = 0;
  const counts = new Map<string, { taken: number }>();
  const find = (key: string): { taken: number } | undefined => {
    const now = performance.now();
    if (now >= ends) {
      counts.clear();
      ends = now + window;
    }
    return counts.get(key);
  };
  return {
    take(key) {
      const count = find(key);
      if (count) return ++count.taken <= limit;
      counts.set(key, { taken: 1 });
      return limit >= 1;
    },
    isSpent: key => counts.size > 0 && (find(key)?.taken ?? 0) >= limit,
  };
}

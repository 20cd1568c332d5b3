/** Counts requests by key in windows of a minute. */
export type Rate = {
  /** Counts one; false when the key has had all that it may have in this minute. */
  take(key: string): boolean;
  /** True when `take` would be refused; counts nothing. */
  isSpent(key: string): boolean;
};

const window = 60_000;

/** `limit`: per key and minute. All counts start anew with a window, so that memory is bounded by its requests. */
export function createRate(limit: number): Rate {
  let ends = 0;
  const counts = new Map<string, number>();
  const current = (key: string): number => {
    const now = Date.now();
    if (now >= ends) {
      counts.clear();
      ends = now + window;
    }
    return counts.get(key) ?? 0;
  };
  return {
    take(key) {
      const count = current(key) + 1;
      counts.set(key, count);
      return count <= limit;
    },
    isSpent: key => current(key) >= limit,
  };
}

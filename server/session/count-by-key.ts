/** Counters by key. */
export type Counts = {
  /** Adds 1 and gives the new count. */
  add(key: string): number;
  drop(key: string): void;
  of(key: string): number;
};

/** Creates counters by key, all at 0. */
export function createCounts(): Counts {
  const counts = new Map<string, number>();
  return {
    add(key) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count;
    },
    drop(key) {
      const count = (counts.get(key) ?? 0) - 1;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
    of: key => counts.get(key) ?? 0,
  };
}

/** Counters by key. */
export type Counts = {
  /** Adds 1 and gives the new count. */
  add(key: string): number;
  drop(key: string): void;
  of(key: string): number;
};

/** Keys that may stay at 0: deleting one and adding it again with every request costs more than keeping it. */
const mostAtZero = 1000;

/** Creates counters by key (such as an address or account), all at 0. */
export function createCounts(): Counts {
  const counts = new Map<string, { value: number }>();
  return {
    add(key) {
      const count = counts.get(key);
      if (count) return ++count.value;
      counts.set(key, { value: 1 });
      return 1;
    },
    drop(key) {
      const count = counts.get(key);
      if (!count || count.value === 0) return;
      count.value -= 1;
      if (count.value === 0 && counts.size > mostAtZero) counts.delete(key);
    },
    of: key => counts.get(key)?.value ?? 0,
  };
}

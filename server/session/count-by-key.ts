/** How many there are of each key right now. */
export type Counts = {
  /** Gives how many there are with this one. */
  add(key: string): number;
  drop(key: string): void;
  of(key: string): number;
};

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

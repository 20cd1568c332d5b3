/** How much more or less of a service was held from a day on, and through what. Days are YYYY-MM-DD. */
export type Movement = {
  readonly instance: string;
  readonly day: string;
  readonly delta: number;
  readonly reason: 'Added' | 'Changed' | 'Cancelled';
  readonly order: string | null;
  readonly by: string | null;
  readonly before: number;
  readonly after: number;
  /** True for what is paid with its term or once, and so is on no line of a month. */
  readonly isPaidAhead: boolean;
};

/** A service with its changes, the oldest first; of an order without a quantity of before nobody knows it. */
export type HeldService = {
  readonly instance: string;
  readonly starts: string;
  /** The first day without it; null while it is held. */
  readonly ends: string | null;
  readonly quantity: number;
  readonly isPaidAhead: boolean;
  readonly order: string | null;
  readonly by: string | null;
  readonly changes: readonly {
    readonly day: string;
    readonly before: number | null;
    readonly order: string;
    readonly by: string;
  }[];
};

/** Lists how the held quantity of a service moved. The quantity between two changes is what the later one found. */
export function movementsOfService({ changes, ...service }: HeldService): Movement[] {
  const { instance, starts, ends, quantity, isPaidAhead, order, by } = service;
  const own = { instance, isPaidAhead };
  const quantities = [...changes.map(({ before }) => before ?? quantity), quantity];
  const first = quantities[0] ?? quantity;
  return [
    { ...own, day: starts, delta: first, reason: 'Added', order, by, before: 0, after: first },
    ...changes.map((change, index): Movement => {
      const [before, after] = [quantities[index] ?? quantity, quantities[index + 1] ?? quantity];
      const delta = after - before;
      return { ...own, day: change.day, delta, reason: 'Changed', order: change.order, by: change.by, before, after };
    }),
    ...(ends === null
      ? []
      : [{ ...own, day: ends, delta: -quantity, reason: 'Cancelled', before: quantity, after: 0 } as const].map(
          movement => ({ ...movement, order: null, by: null }),
        )),
  ];
}

/** True for a movement after the day `after` and not after the day `until`. */
export const isBetween =
  (after: string, until: string) =>
  ({ day, delta }: Movement): boolean =>
    day > after && day <= until && delta !== 0;

/** Sums what was held at the end of a day. */
export const heldOn = (movements: readonly Movement[], day: string): number =>
  movements.reduce((sum, movement) => (movement.day <= day ? sum + movement.delta : sum), 0);

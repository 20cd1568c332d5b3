/** The meaning of an act, as it is shown to the person who approves it. */
export type Act = {
  readonly kind: string;
  /** Name of the customer, product, role or person that it is done to. */
  readonly target: string;
  /** How many it concerns: customers that it orders for, users that are deleted along, people who have the role. */
  readonly count: number;
  /** The first of these by name. */
  readonly names: readonly string[];
  /** The values that differ, in words; empty where the act changes none. */
  readonly before: string;
  readonly after: string;
  /** Null where it costs nothing. */
  readonly price: { readonly monthly: number; readonly first: number; readonly currency: string } | null;
};

/** What an act means, as it is shown to who approves it. */
export type Act = {
  readonly kind: string;
  /** What it is done to, by its name: a customer, a product, a role, a person. */
  readonly target: string;
  /** How many it concerns: customers that it orders for, users that are deleted along, people who have the role. */
  readonly count: number;
  /** The first of these by name. */
  readonly names: readonly string[];
  /** The values that differ, in words; empty where the act changes none. */
  readonly before: string;
  readonly after: string;
  /** What it costs; null where it costs nothing. */
  readonly price: { readonly monthly: number; readonly first: number; readonly currency: string } | null;
};

import type { Permission } from '../auth/words.ts';

type Declared = {
  /** Must be held, besides managing access, to do the act, and so to approve it. */
  readonly permission?: Permission;
  /** True where only acts that concern more than a number wait, which the reseller chooses. */
  readonly hasNumber: boolean;
};

/**
 * Kinds of acts for which a reseller may demand a second person. A new one is a line here, a call of `requireApproval`
 * where the act is done, `mayWait` at its routes, and its words in the portal (`code:act-kind`).
 */
export const kinds = {
  BulkOrder: { permission: 'addProducts', hasNumber: true },
  CustomerDeletion: { permission: 'addOrEditCustomers', hasNumber: false },
  RoleWidening: { hasNumber: false },
} as const satisfies Readonly<Record<string, Declared>>;
export type Kind = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as Kind[];
export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name);
export const declarationOf = (kind: Kind): Declared => kinds[kind];

/** Kinds of acts that wait: those above, and making such a demand weaker, which is not to be switched off. */
export const actKinds = [...kindNames, 'DemandEased'] as const;
export type ActKind = (typeof actKinds)[number];

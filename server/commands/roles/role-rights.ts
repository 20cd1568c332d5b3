import type { UserType } from '../../../shared/contract/boot.ts';
import type { Principal } from '../../access/principal.ts';
import { textOf } from '../../operations/text-of.ts';

/** Rights as the wire of the cloud has them. */
export type CloudRights = {
  readonly Views: readonly string[];
  readonly Permissions: readonly string[];
  readonly Prices: boolean;
};

/** The types of users by their names in the cloud, as far as roles are given to them (document 1, section 6). */
const userTypes: Readonly<Record<string, UserType>> = {
  reseller: 'reseller',
  admin: 'engineer',
  endUserAdmin: 'endUserAdmin',
  endUser: 'endUser',
};

/**
 * Rights that come with a mailbox: nobody at a reseller holds them; whoever manages users gives them to customers'
 * users.
 */
const ofMailboxes = ['hostedExchange', 'advancedSecurity', 'ownAliases'];

/** The rights that a caller holds, and so can give and may try out. */
export function heldBy({ views, permissions, prices }: Principal): CloudRights {
  return { Views: views, Permissions: [...new Set([...permissions, ...ofMailboxes])], Prices: prices };
}

/** Every right by its name; "prices" stands for seeing these. */
export const namesOf = ({ Views, Permissions, Prices }: CloudRights): string[] => [
  ...Views,
  ...Permissions,
  ...(Prices ? ['prices'] : []),
];

/** Rights without one of them. */
export const without = ({ Views, Permissions, Prices }: CloudRights, name: string): CloudRights => ({
  Views: Views.filter(view => view !== name),
  Permissions: Permissions.filter(permission => permission !== name),
  Prices: Prices && name !== 'prices',
});

/** Parts rights into those that are in `held`, and the number of the others. */
export function within(
  rights: CloudRights,
  held: CloudRights,
): { readonly seen: CloudRights; readonly hidden: number } {
  const seen = {
    Views: rights.Views.filter(name => held.Views.includes(name)),
    Permissions: rights.Permissions.filter(name => held.Permissions.includes(name)),
    Prices: rights.Prices && held.Prices,
  };
  return { seen, hidden: namesOf(rights).length - namesOf(seen).length };
}

/** Puts rights together. */
export const union = (a: CloudRights, b: CloudRights): CloudRights => ({
  Views: [...new Set([...a.Views, ...b.Views])],
  Permissions: [...new Set([...a.Permissions, ...b.Permissions])],
  Prices: a.Prices || b.Prices,
});

/**
 * Gives rights as they are after boxes were ticked and cleared. Boxes are named as the rights are; a right without a box
 * stays as it is, and no box gives one that is not in `held`.
 */
export function afterTicks(
  before: CloudRights,
  boxes: Readonly<Record<string, unknown>>,
  held: CloudRights,
): CloudRights {
  const tick = (names: readonly string[], all: readonly string[]) => [
    ...names.filter(name => !all.includes(name) || boxes[name] === undefined || boxes[name] === true),
    ...all.filter(name => boxes[name] === true && !names.includes(name)),
  ];
  return {
    Views: tick(before.Views, held.Views),
    Permissions: tick(before.Permissions, held.Permissions),
    Prices: held.Prices && boxes.prices !== undefined ? boxes.prices === true : before.Prices,
  };
}

/** Rights that a person holds besides roles, with the last days of single ones. */
type OwnRights = CloudRights & { readonly Ends: readonly { readonly Right: unknown; readonly Until: unknown }[] };

/**
 * Gives what a person is to hold besides roles, as the form of single rights says it: rights that are new end on the day
 * that was given; those that stay keep theirs, unless they are to last.
 */
export function ownAfter({ Ends, ...before }: OwnRights, form: Readonly<Record<string, unknown>>, held: CloudRights) {
  const rights = afterTicks(before, form, held);
  const until = textOf(form.Until);
  const kept =
    form.Lasting === true ? [] : Ends.map(({ Right, Until }) => ({ Right: textOf(Right), Until: textOf(Until) }));
  const known = namesOf(before);
  const added = until === '' ? [] : namesOf(rights).filter(name => !known.includes(name));
  return { rights, ends: [...kept, ...added.map(Right => ({ Right, Until: until }))] };
}

/**
 * Somebody of a user type with these rights, at the organisation of the caller, who has neither switched nor jumped.
 */
export function principalWith(
  { currency, features, systems, facts }: Principal,
  type: string,
  rights: CloudRights,
): Principal {
  const userType = userTypes[type] ?? 'endUser';
  const { actor: _, prices: __, ...others } = facts;
  return {
    type: userType,
    // A reseller's people have no mailbox user to switch to.
    views: rights.Views.filter(view => view !== 'switchUser' || userType === 'endUserAdmin'),
    permissions: rights.Permissions,
    // Resellers always see prices (document 1, section 6).
    prices: rights.Prices || userType === 'reseller',
    ...{ features, currency, switched: false },
    ...(systems && (userType === 'reseller' || userType === 'engineer') && { systems }),
    facts: { ...others, type: userType },
  };
}

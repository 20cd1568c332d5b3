import { describeRequirement } from '../../../server/access/describe-requirement.ts';
import {
  type PartnerSystem,
  type Principal,
  partnerSystems,
  publicPrincipal,
} from '../../../server/access/principal.ts';
import type { CallerFacts, Compiled } from '../../../server/layouts/names/pass.ts';
import { defaultLanguage } from '../../../server/layouts/names/texts.ts';
import { emitDocument } from '../../../server/layouts/trim/trim.ts';
import type { Requirement } from '../../../shared/language/types.ts';
import { userTypes } from '../principal.ts';

/** What a generated principal holds; changed until it just meets a requirement or just fails it. */
type Rights = {
  type: Principal['type'];
  readonly held: Readonly<Record<'views' | 'permissions' | 'features' | 'systems', Set<string>>>;
  prices: boolean;
  currency: Principal['currency'];
  switched: boolean;
  previousType: Principal['type'] | undefined;
  jumped: boolean;
};

export type Role = {
  /** Such as "engineer who just fails prices". */
  readonly name: string;
  readonly principal: Principal;
};

/** Collects every distinct requirement that trimming these documents evaluates. */
export function requirementsIn(compiled: Compiled): Requirement[] {
  const found = new Map<string, Requirement>();
  const record = (requirement: Requirement | undefined): void => {
    if (requirement !== undefined) found.set(JSON.stringify(requirement), requirement);
  };
  const everybody: CallerFacts = {
    type: 'reseller',
    locale: defaultLanguage,
    mayAsk: () => false,
    lacks: () => false,
    meets(requirement) {
      record(requirement);
      return true;
    },
  };
  for (const document of compiled.documents.values()) emitDocument(compiled, document, everybody);
  // Of the variants of a text the next is asked about only where the one before is refused.
  for (const key of compiled.names.texts.keys())
    compiled.texts.resolve(
      key,
      requirement => {
        record(requirement);
        return false;
      },
      everybody.locale,
    );
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, requirement]) => requirement);
}

/** Makes what is held just meet a requirement, or lack the last thing that it asks for. */
function adjust(rights: Rights, requirement: Requirement, meets: boolean): void {
  const keys = Object.keys(requirement).sort((a, b) => Number(b === 'userTypes') - Number(a === 'userTypes'));
  for (const [index, key] of keys.entries())
    adjustKey(rights, key as keyof Requirement, requirement, meets || index < keys.length - 1);
}

function adjustKey(rights: Rights, key: keyof Requirement, requirement: Requirement, meets: boolean): void {
  const { userTypes: types = [], previousTypes = [], currencies = [], any = [], all = [], not } = requirement;
  switch (key) {
    case 'all':
      for (const [index, part] of all.entries()) adjust(rights, part, meets || index < all.length - 1);
      return;
    case 'not':
      if (not) adjust(rights, not, !meets);
      return;
    case 'any':
      for (const part of any) adjust(rights, part, false);
      if (meets && any[0]) adjust(rights, any[0], true);
      return;
    case 'userTypes':
      if (types.includes(rights.type) !== meets)
        rights.type = userTypes.find(type => types.includes(type) === meets) ?? 'public';
      return;
    case 'views':
    case 'permissions':
    case 'features':
    case 'systems': {
      const names = requirement[key] ?? [];
      for (const name of names) rights.held[key].delete(name);
      if (meets && names[0] !== undefined) rights.held[key].add(names[0]);
      return;
    }
    case 'previousTypes':
      rights.switched = meets;
      rights.previousType = meets ? userTypes.find(type => previousTypes.includes(type)) : undefined;
      return;
    case 'currencies':
      rights.currency = currencies.includes('GBP') === meets ? 'GBP' : 'EUR';
      return;
    case 'prices':
      rights.prices = meets;
      return;
    case 'switched':
    case 'jumped':
      rights[key] = (requirement[key] === true) === meets;
  }
}

function principalOf({ type, held, previousType, jumped, ...rest }: Rights): Principal {
  return {
    type,
    views: [...held.views].sort(),
    permissions: [...held.permissions].sort(),
    features: [...held.features].sort(),
    systems: [...held.systems].sort() as PartnerSystem[],
    ...rest,
    ...(previousType && { previousType }),
    facts: { ...publicPrincipal.facts, type, ...(jumped && { actor: 'administrator' }) },
  };
}

const short = (requirement: Requirement): string => {
  const text = describeRequirement(requirement, () => undefined);
  return text.length > 70 ? `${text.slice(0, 69)}…` : text;
};

/**
 * Callers that tell two sets of documents apart: of each user type one with every right and one with none, and for each
 * requirement one that just meets it and one that just fails it.
 */
export function generateRoles(sets: readonly Compiled[]): Role[] {
  const every = (kind: 'views' | 'permissions' | 'features') => new Set(sets.flatMap(({ names }) => [...names[kind]]));
  const rightsOf = (type: Rights['type']): Rights => ({
    type,
    held: {
      views: every('views'),
      permissions: every('permissions'),
      features: every('features'),
      systems: new Set(partnerSystems),
    },
    prices: true,
    currency: 'GBP',
    switched: false,
    previousType: undefined,
    jumped: false,
  });
  const nothing = {
    views: new Set<string>(),
    permissions: new Set<string>(),
    features: new Set<string>(),
    systems: new Set<string>(),
  };
  const roles = userTypes.flatMap(type => [
    { name: `${type} with every right`, principal: principalOf(rightsOf(type)) },
    { name: `${type} without any right`, principal: principalOf({ ...rightsOf(type), held: nothing, prices: false }) },
  ]);
  const requirements = new Map(
    sets.flatMap(requirementsIn).map(requirement => [JSON.stringify(requirement), requirement]),
  );
  for (const requirement of requirements.values()) {
    const named = userTypes.filter(type => JSON.stringify(requirement).includes(`"${type}"`));
    const types: readonly Rights['type'][] =
      named.length > 0 ? [...new Set([named[0]!, named.at(-1)!])] : ['reseller', 'endUserAdmin', 'endUser'];
    for (const type of types)
      for (const meets of [true, false]) {
        const rights = rightsOf(type);
        adjust(rights, requirement, meets);
        const name = `${rights.type} who just ${meets ? 'meets' : 'fails'} ${short(requirement)}`;
        roles.push({ name, principal: principalOf(rights) });
      }
  }
  return [...new Map(roles.reverse().map(role => [JSON.stringify(role.principal), role])).values()].reverse();
}

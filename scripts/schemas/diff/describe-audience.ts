import type { Principal } from '../../../server/access/principal.ts';
import { userTypes } from '../principal.ts';
import type { Role } from './generate-principals.ts';

/** A right by which callers of one user type may differ. */
type Trait = { readonly name: string; readonly has: (principal: Principal) => boolean };

function traitsOf(roles: readonly Role[]): Trait[] {
  const kinds = ['views', 'permissions', 'features'] as const;
  const named = kinds.flatMap(kind => {
    const names = new Set(roles.flatMap(({ principal }) => principal[kind]));
    return [...names].map((name): Trait => ({ name, has: principal => principal[kind].includes(name) }));
  });
  return [
    { name: 'prices', has: ({ prices }) => prices },
    { name: 'the currency EUR', has: ({ currency }) => currency === 'EUR' },
    ...named,
  ];
}

/**
 * Makes a function that describes a set of callers in few words: by user type, with or without one right where that is
 * the difference, else by number and an example.
 */
export function createDescribeAudience(all: readonly Role[]): (audience: ReadonlySet<Role>) => string {
  const traits = traitsOf(all);
  const describeType = (type: Principal['type'], audience: ReadonlySet<Role>): string | undefined => {
    const ofType = all.filter(({ principal }) => principal.type === type);
    const count = ofType.filter(role => audience.has(role)).length;
    if (count === 0) return undefined;
    if (count === ofType.length) return type;
    const tells = (trait: Trait, having: boolean): boolean =>
      ofType.every(role => audience.has(role) === (trait.has(role.principal) === having));
    for (const having of [true, false]) {
      const trait = traits.find(one => tells(one, having));
      if (trait) return `${type} ${having ? 'with' : 'without'} ${trait.name}`;
    }
    return `some of ${type} (${count} of ${ofType.length})`;
  };
  return audience => {
    const parts = userTypes.flatMap(type => describeType(type, audience) ?? []);
    const [first] = audience;
    const example = parts.some(part => part.startsWith('some of')) ? `, such as ${first?.name}` : '';
    return `${parts.join(', ')}${example}`;
  };
}

import { type Principal, publicPrincipal } from '../../server/access/principal.ts';
import type { Compiled } from '../../server/layouts/names/pass.ts';
import { suggest } from '../../server/layouts/names/problem.ts';
import type { UserType } from '../../shared/contract/boot.ts';
import { requirement } from '../../shared/language/requirement.ts';

export const userTypes: readonly UserType[] = requirement.properties.userTypes.items.enum;

/**
 * Makes a principal of a user type with every right, except those that `without` names (`prices` is one of the names).
 */
export function principalWithAllRights({ names }: Compiled, type: string, without: readonly string[] = []): Principal {
  const known = [...names.views, ...names.permissions, ...names.features, 'prices'];
  const isType = (name: string): name is UserType => (userTypes as readonly string[]).includes(name);
  if (!isType(type)) throw new Error(`There is no user type "${type}".${suggest(type, userTypes)}`);
  for (const name of without)
    if (!known.includes(name))
      throw new Error(`There is no view, permission or feature "${name}".${suggest(name, known)}`);
  const rest = (all: Iterable<string>) => [...all].filter(name => !without.includes(name));
  const { facts } = publicPrincipal;
  return {
    ...publicPrincipal,
    type,
    features: rest(names.features),
    ...(type !== 'public' && {
      views: rest(names.views),
      permissions: rest(names.permissions),
      prices: !without.includes('prices'),
    }),
    facts: { ...facts, type },
  };
}

import type { UserType } from '../../../shared/contract/boot.ts';
import { requirement as requirementSchema } from '../../../shared/language/requirement.ts';
import type { Requirement } from '../../../shared/language/types.ts';
import { isJumped, type Principal, partnerSystems, publicPrincipal } from '../../access/principal.ts';

/** Who may have switched. */
const previous: readonly UserType[] = ['reseller', 'engineer', 'endUserAdmin'];
const userTypes: readonly UserType[] = requirementSchema.properties.userTypes.items.enum;

/** The names of the rights that a principal holds. */
type Rights = { readonly views: Iterable<string>; readonly permissions: Iterable<string> };

/** What some requirements ask, all their parts together. */
type Asked = {
  readonly keys: ReadonlySet<string>;
  readonly views: ReadonlySet<string>;
  readonly permissions: ReadonlySet<string>;
  /** Features that must be on. */
  readonly on: ReadonlySet<string>;
  /** Features that must be off. */
  readonly off: ReadonlySet<string>;
};

/**
 * Collects what requirements name, those inside `all` and `any` included: their keys, views, permissions, and the
 * features that must be on or off.
 */
export function namedInRequirements(requirements: readonly Requirement[]): Asked {
  const asked = {
    keys: new Set<string>(),
    views: new Set<string>(),
    permissions: new Set<string>(),
    on: new Set<string>(),
    off: new Set<string>(),
  };
  const visit = (requirement: Requirement): void => {
    const { views, permissions, features, all, any, not } = requirement;
    for (const key of [...Object.keys(requirement), ...Object.keys(not ?? {})]) asked.keys.add(key);
    for (const name of views ?? []) asked.views.add(name);
    for (const name of permissions ?? []) asked.permissions.add(name);
    for (const name of features ?? []) asked.on.add(name);
    for (const name of not?.features ?? []) asked.off.add(name);
    for (const part of [...(all ?? []), ...(any ?? [])]) visit(part);
  };
  requirements.forEach(visit);
  return asked;
}

/** Who has switched is an end user, and nobody jumps without signing in. */
const isPossible = (principal: Principal): boolean =>
  (principal.type === 'endUser' || !principal.switched) && (principal.type !== 'public' || !isJumped(principal));

/**
 * Makes principals who hold exactly these views and permissions, one for each user type and each list of features that
 * are on, and, where the requirements name these, each currency, at all other systems or none, switched or not, jumped or
 * not.
 */
export function principalsWith(
  { views, permissions }: Rights,
  features: readonly (readonly string[])[],
  { keys }: Pick<Asked, 'keys'>,
): Principal[] {
  const currencies = keys.has('currencies') ? (['GBP', 'EUR'] as const) : (['GBP'] as const);
  const from = [...(keys.has('switched') || keys.has('previousTypes') ? previous : []), undefined];
  const actors: { actor?: string }[] = keys.has('jumped') ? [{}, { actor: 'somebody' }] : [{}];
  const homes = keys.has('systems') ? [{ systems: partnerSystems }, {}] : [{}];
  const ways = currencies.flatMap(currency =>
    from.flatMap(previousType =>
      actors.flatMap(actor => homes.map(systems => ({ currency, previousType, actor, systems }))),
    ),
  );
  return userTypes
    .flatMap(type =>
      features.flatMap(on =>
        ways.map(
          ({ currency, previousType, actor, systems }): Principal => ({
            ...publicPrincipal,
            type,
            currency,
            ...systems,
            switched: previousType !== undefined,
            ...(previousType && { previousType }),
            views: type === 'public' ? [] : [...views],
            permissions: type === 'public' ? [] : [...permissions],
            features: on,
            prices: type !== 'public',
            facts: { ...publicPrincipal.facts, type, ...actor },
          }),
        ),
      ),
    )
    .filter(isPossible);
}

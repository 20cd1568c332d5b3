import type { UserType } from '../../shared/contract/boot.ts';
import { type Principal, publicPrincipal } from '../access/principal.ts';
import type { Compiled } from './compile.ts';
import type { Source } from './load.ts';
import type { Lead } from './place.ts';
import type { Problem } from './problem.ts';
import { trim } from './trim.ts';

/** Who may have switched. */
const previous: readonly UserType[] = ['reseller', 'engineer', 'endUserAdmin'];
const userTypes: readonly UserType[] = ['public', 'reseller', 'engineer', 'endUserAdmin', 'endUser', 'mustSign'];

/** Who has switched is an end user, and nobody jumps without signing in. */
const isPossible =
  (type: UserType) =>
  ({ place, actor }: { readonly place: { readonly switched: boolean }; readonly actor: { readonly actor?: string } }) =>
    (type === 'endUser' || !place.switched) && (type !== 'public' || actor.actor === undefined);

/**
 * Principals with every right, of each user type and currency, switched and jumped and not: what anyone could see.
 * Features are all on, all off, and as each requirement that wants some on and others off asks for them.
 */
export function fullestPrincipals(compiled: Compiled, sources: readonly Source[]): Principal[] {
  const { views, permissions, features } = compiled.names;
  const asked = sources
    .flatMap(source => negatedIn(source.json))
    .map(off => [...features].filter(name => !off.includes(name)));
  const flags = [...new Map([[...features], [], ...asked].map(on => [on.join(), on])).values()];
  // What no document asks for makes no difference to any of them.
  const keys = new Set<string>();
  for (const source of sources) gatherKeys(source.json, keys);
  const currencies = keys.has('currencies') ? (['GBP', 'EUR'] as const) : (['GBP'] as const);
  const places = currencies.flatMap(currency =>
    [...(keys.has('switched') || keys.has('previousTypes') ? previous : []), undefined].map(previousType => ({
      currency,
      switched: previousType !== undefined,
      ...(previousType && { previousType }),
    })),
  );
  const actors: { actor?: string }[] = keys.has('jumped') ? [{}, { actor: 'somebody' }] : [{}];
  const everywhere = places.flatMap(place => actors.map(actor => ({ place, actor })));
  return userTypes.flatMap(type =>
    flags.flatMap(on =>
      everywhere.filter(isPossible(type)).map(({ place, actor }) => ({
        ...publicPrincipal,
        ...place,
        type,
        views: type === 'public' ? [] : [...views],
        permissions: type === 'public' ? [] : [...permissions],
        features: on,
        prices: type !== 'public',
        facts: { ...publicPrincipal.facts, type, ...actor },
      })),
    ),
  );
}

function gatherKeys(value: unknown, into: Set<string>): void {
  if (value === null || typeof value !== 'object') return;
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    if (!isList) into.add(key);
    gatherKeys(item, into);
  }
}

/** Of each list of features that asks for some off, the names of these. */
function negatedIn(value: unknown): string[][] {
  if (value === null || typeof value !== 'object') return [];
  const { features } = value as { features?: unknown };
  const off = Array.isArray(features)
    ? features.filter(name => String(name).startsWith('!')).map(name => name.slice(1))
    : [];
  return [...(off.length > 0 ? [off] : []), ...Object.values(value).flatMap(negatedIn)];
}

/** Finds documents that nothing reaches, screens that nobody can open, and actions that lead nowhere for who sees them. */
export function checkReach(compiled: Compiled, sources: readonly Source[]): Problem[] {
  const problems: Problem[] = [];
  const warn = (source: Source, at: (string | number)[], message: string) =>
    problems.push(source.problem(at, message, 'warning'));
  const seen = new Set<Lead>();
  const followed = new Set<Lead>();
  const observe = (lead: Lead, there: boolean): void => {
    seen.add(lead);
    if (there) followed.add(lead);
  };
  const accesses = fullestPrincipals(compiled, sources).map(principal => trim(compiled, principal, observe));
  const reached = new Set(
    accesses.flatMap(access =>
      [...access.screens.values(), ...access.popups.values()].map(layout => `${layout.layout.kind}:${layout.id}`),
    ),
  );
  const bodies = new Set(
    [...compiled.names.operations.values()]
      .map(operation => operation.body)
      .concat([...compiled.names.commands.values()].map(command => command.body)),
  );
  for (const source of sources) {
    const id = String(source.json.id);
    if (source.kind === 'screen' && !reached.has(`screen:${id}`))
      problems.push(source.problem(['requires'], 'Nobody can reach this screen.'));
    if (source.kind === 'popup' && !compiled.mentions.popup.has(id))
      warn(source, ['id'], `Nothing opens the popup "${id}".`);
    else if (source.kind === 'popup' && !reached.has(`popup:${id}`))
      problems.push(source.problem(['id'], `Nobody can reach the popup "${id}".`));
    if (source.kind === 'form' && !compiled.mentions.form.has(id) && !bodies.has(id))
      warn(source, ['id'], `Nothing uses the form "${id}".`);
    if (source.kind === 'catalogue' && !compiled.mentions.catalogue.has(id))
      warn(source, ['id'], `Nothing uses the catalogue "${id}".`);
    if (source.kind === 'operations') {
      for (const name of Object.keys(source.json.operations as object))
        if (!compiled.mentions.operation.has(name))
          warn(source, ['operations', name], `Nothing calls the operation "${name}".`);
    }
    if (source.kind === 'texts') {
      const area = source.file.split('/').at(-1)?.replace('.json', '') ?? '';
      for (const name of Object.keys(source.json)) {
        const key = `${area}.${name.replace(/_(zero|one|two|few|many|other)$/, '')}`;
        if (name !== '$schema' && !compiled.mentions.text.has(key))
          warn(source, [name], `Nothing uses the text "${key}".`);
      }
    }
  }
  for (const lead of seen)
    if (!followed.has(lead))
      problems.push(lead.source.problem(lead.at, `Nobody who may see this can reach ${lead.target}.`));
  return problems;
}

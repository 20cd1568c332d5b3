import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// The one file of the product that this folder imports: its path and its export stay as they are.
import { openLayouts } from '../../server/open-layouts.ts';
import type { Json } from './stage.ts';

type Version = ReturnType<Awaited<ReturnType<typeof openLayouts>>['current']>;
type Principal = Parameters<Version['access']>[0];
type Access = ReturnType<Version['access']>;
type Requirement = Readonly<Record<string, Json>>;

/** What a generated principal holds, to be changed until it just meets a requirement or just fails it. */
type Rights = {
  type: Principal['type'];
  readonly held: Readonly<Record<'views' | 'permissions' | 'features', Set<string>>>;
  prices: boolean;
  currency: Principal['currency'];
  switched: boolean;
  previousType: Principal['type'] | undefined;
  jumped: boolean;
};

const root = join(import.meta.dirname, '../..');
const userTypes = ['reseller', 'engineer', 'endUserAdmin', 'endUser', 'mustSign', 'public'] as const;
const kinds = ['views', 'permissions', 'features'] as const;
const drawn = 300;

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(file => join(root, folder, file))
    .sort();
const readJson = (file: string): Json => JSON.parse(readFileSync(file, 'utf8'));
const documents = (): Json[] =>
  filesBelow('schemas')
    .filter(file => file.endsWith('.json') && !file.includes('/meta/'))
    .map(readJson);

/** A requirement with what the names of access.json mean in their place. */
function withoutNames(requirement: Json, named: Json): Json {
  if (typeof requirement === 'string') return withoutNames(named[requirement], named);
  const parts = Object.entries<Json>(requirement).map(([key, asked]) => [
    key,
    key === 'all' || key === 'any' ? asked.map((part: Json) => withoutNames(part, named)) : asked,
  ]);
  return Object.fromEntries(parts);
}

/** Every distinct requirement that the documents write, as JSON. */
function requirementsIn(value: Json, named: Json, found = new Set<string>()): Set<string> {
  if (value === null || typeof value !== 'object') return found;
  const add = (requirement: Json): void => void found.add(JSON.stringify(withoutNames(requirement, named)));
  for (const [key, item] of Object.entries<Json>(value)) {
    // In a reply a field may be called so, and "anyone" may be no name of a requirement.
    if (key === 'requires' && (typeof item === 'object' || Object.hasOwn(named, item))) add(item);
    requirementsIn(item, named, found);
  }
  return found;
}

/** Makes what is held just meet a requirement, or lack the last thing that it asks for. */
function adjust(rights: Rights, requirement: Requirement, meets: boolean): void {
  const keys = Object.keys(requirement).sort((a, b) => Number(b === 'userTypes') - Number(a === 'userTypes'));
  for (const [index, key] of keys.entries()) adjustKey(rights, key, requirement[key], meets || index < keys.length - 1);
}

function adjustKey(rights: Rights, key: string, asked: Json, meets: boolean): void {
  if (key === 'any') {
    for (const part of asked) adjust(rights, part, false);
    if (meets) adjust(rights, asked[0], true);
  } else if (key === 'all') {
    for (const [index, part] of asked.entries()) adjust(rights, part, meets || index < asked.length - 1);
  } else if (key === 'not') adjust(rights, asked, !meets);
  else if (key === 'userTypes') {
    if (asked.includes(rights.type) !== meets)
      rights.type = userTypes.find(type => asked.includes(type) === meets) ?? 'public';
  } else if (key === 'views' || key === 'permissions' || key === 'features') {
    for (const name of asked) rights.held[key].delete(name);
    if (meets) rights.held[key].add(asked[0]);
  } else if (key === 'previousTypes') {
    rights.switched = meets;
    rights.previousType = meets ? asked[0] : undefined;
  } else if (key === 'currencies') rights.currency = (asked[0] === 'GBP') === meets ? 'GBP' : 'EUR';
  else if (key === 'prices') rights.prices = meets;
  else if (key === 'switched' || key === 'jumped') rights[key] = asked === meets;
}

function principalOf({ type, held, previousType, jumped, ...rest }: Rights): Principal {
  const person = { name: 'Sam Sample', email: 'sam@sample.test', userId: '20001', identity: 'sam@sample.test' };
  const organisation = {
    organisationId: '10001',
    organisationName: 'Sample',
    currency: rest.currency,
    locale: 'en-GB',
  };
  return {
    type,
    views: [...held.views].sort(),
    permissions: [...held.permissions].sort(),
    features: [...held.features].sort(),
    ...rest,
    ...(previousType && { previousType }),
    facts: { type, ...person, ...organisation, ...(jumped && { actor: 'actor@sample.test' }) },
  };
}

/** A number from 0 to 1 that follows from the words alone, so that a new right leaves the other draws as they are. */
const draw = (...words: readonly unknown[]): number =>
  createHash('sha256').update(words.join(' ')).digest().readUInt32BE() / 2 ** 32;

/** Principals by name: those just within and without each requirement, and some at random. */
function* generatePrincipals(all: readonly Json[], names: Json): Generator<readonly [string, Principal]> {
  for (const text of [...requirementsIn(all, names.requirements ?? {})].sort()) {
    const named = [...text.matchAll(/"userTypes":\[([^\]]*)\]/g)].flatMap(([, list = '']) => JSON.parse(`[${list}]`));
    const types = named.length > 0 ? [named[0], named.at(-1)] : ['reseller', 'endUserAdmin', 'endUser'];
    for (const type of new Set<Rights['type']>(types))
      for (const meets of [true, false]) {
        const held = {
          views: new Set(names.views),
          permissions: new Set(names.permissions),
          features: new Set(names.features),
        };
        const full = { held, prices: true, currency: 'GBP', switched: false, previousType: undefined, jumped: false };
        const rights = { type, ...full } as Rights;
        adjust(rights, JSON.parse(text), meets);
        yield [`${type} who just ${meets ? 'meets' : 'fails'} ${text}`, principalOf(rights)];
      }
  }
  for (let seed = 0; seed < drawn; seed += 1) {
    const share = draw(seed, 'share');
    const pick = (kind: string): Set<string> =>
      new Set(names[kind].filter((name: string) => draw(seed, kind, name) < share));
    const [views, permissions, features] = kinds.map(pick) as [Set<string>, Set<string>, Set<string>];
    const switched = draw(seed, 'switched') < 0.15;
    const rights: Rights = {
      type: userTypes[Math.floor(draw(seed, 'type') * userTypes.length)] ?? 'public',
      held: { views, permissions, features },
      prices: draw(seed, 'prices') < 0.5,
      currency: draw(seed, 'currency') < 0.7 ? 'GBP' : 'EUR',
      switched,
      previousType: switched ? userTypes[Math.floor(draw(seed, 'previous') * 3)] : undefined,
      jumped: draw(seed, 'jumped') < 0.15,
    };
    yield [`principal ${seed} (${rights.type})`, principalOf(rights)];
  }
}

/** A Result with every field that its operation declares; each object also has one that is not. */
function sampleResult(reply: Json, path = ''): Json {
  const sampleOf = (kind: string): Json => {
    if (/^(count|number|percent|bytes)/.test(kind)) return 7;
    if (kind.startsWith('money')) return 12.5;
    return kind.startsWith('yes-no') ? true : `${path} <b onclick="x()">bold</b><script>x()</script>`;
  };
  if (typeof reply === 'string') return sampleOf(reply);
  if (Array.isArray(reply)) return [sampleResult(reply[0], path)];
  if (typeof reply.kind === 'string') return sampleOf(reply.kind);
  if (reply.map !== undefined) return { AnyName: sampleResult(reply.map, `${path}.AnyName`) };
  const fields = reply.of ?? reply;
  if (Array.isArray(fields)) return sampleResult(fields, path);
  const named = Object.entries(fields).map(([name, field]) => [name, sampleResult(field, `${path}.${name}`)]);
  return { ...Object.fromEntries(named), Undeclared: 'x' };
}

/** Fixed replies by operation, with all that it declares. */
const makeReplies =
  (version: Version) =>
  (operation: string): Json => {
    const { reply } = version.operations.get(operation) as Json;
    return { Succeed: true, ...(reply !== undefined && { Result: sampleResult(reply) }), Undeclared: 'x' };
  };

/** Fields that some document reads of the result of a command, and those that the nodes behind commands read. */
function commandReply(all: readonly Json[]): Json {
  // With or without the Result, which documents may leave out.
  const read = [...JSON.stringify(all).matchAll(/reply\.(?:Result\.)?(?!Result\b)(\w+)/g)].map(([, name = '']) => name);
  const names = [...read, 'step', 'title', 'children', 'values', 'steps', 'draft', 'waits', 'stamp', 'events'];
  return { Succeed: true, Result: Object.fromEntries(names.map(name => [name, { of: name }])), Undeclared: 'x' };
}

/** All that a principal gets, part by part. */
function* partsOf(
  access: Access,
  replyOf: (operation: string) => Json,
  reply: Json,
): Generator<readonly [string, Json]> {
  const { landing, patterns, aliases, words } = access;
  yield ['addresses', { landing, patterns, aliases: Object.fromEntries(aliases) }];
  yield ['words', words];
  for (const { bytes } of access.byHash.values()) {
    const layout = JSON.parse(bytes.toString());
    yield [`${layout.kind} ${layout.id}`, layout];
  }
  for (const kind of ['reads', 'files', 'writes', 'commands'] as const)
    for (const [name, { parameters, refused, own, fields }] of access[kind]) {
      const refusedNames = Object.fromEntries(
        [...refused].map(([parameter, values]) => [parameter, [...values].sort()]),
      );
      const permitted = {
        parameters: [...parameters].sort(),
        refused: refusedNames,
        own: Object.fromEntries(own),
        fields,
      };
      yield [`${kind} ${name}`, permitted];
      if (kind === 'commands') yield [`reply of command ${name}`, access.projectCommand(name, reply)];
      if (kind !== 'reads' && kind !== 'writes') continue;
      yield [`reply of ${name}`, access.project(name, replyOf(name))];
    }
}

export type Trimmed = {
  /** By part, every variant of it under its digest. */
  readonly variants: ReadonlyMap<string, ReadonlyMap<string, Json>>;
  /** By principal, the digest of each of its parts. */
  readonly principals: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/**
 * Trims the documents of this checkout for every generated principal; gives their layouts, capabilities and projected
 * replies, and the digest of each. `canonical` writes a value so that equal values give the same text. Writes no file.
 */
export async function recordTrimmed(canonical: (value: Json) => string): Promise<Trimmed> {
  const layouts = await openLayouts({ dir: join(root, 'schemas'), watch: false });
  const version = layouts.current();
  const all = documents();
  const reply = commandReply(all);
  const replyOf = makeReplies(version);
  const variants = new Map<string, Map<string, Json>>();
  const principals: Record<string, Record<string, string>> = {};
  for (const [name, principal] of generatePrincipals(all, readJson(join(root, 'schemas/access.json')))) {
    const digests: Record<string, string> = {};
    for (const [part, tree] of partsOf(version.access(principal), replyOf, reply)) {
      const digest = createHash('sha256').update(canonical(tree)).digest('hex').slice(0, 10);
      const known = variants.get(part) ?? new Map<string, Json>();
      digests[part] = digest;
      variants.set(part, known.set(digest, tree));
    }
    principals[name] = digests;
  }
  await layouts.close();
  return { variants, principals };
}

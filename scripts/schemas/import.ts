import { valueKinds } from '../../shared/language/reply.ts';
import type { Operation } from '../../shared/language/types.ts';
import { isObject, isOptional, kindOf, type Parts, partsOf } from './notation.ts';
import { type Notation, notationOf, placesOf, replyAt } from './open-api.ts';
import type { OpenApi } from './open-api-types.ts';

type Json = Readonly<Record<string, unknown>>;

/** Says something around what is inside a list, or around the fields of an object. */
function around(inner: unknown, { optional, requires }: Partial<Pick<Parts, 'optional' | 'requires'>>): Notation {
  const said = { ...(requires !== undefined && { requires }), ...(optional && { optional }) };
  const isAmbiguous = isObject(inner) && ['kind', 'map', 'of'].some(name => Object.hasOwn(inner, name));
  return (Object.keys(said).length === 0 && !isAmbiguous ? inner : { ...said, of: inner }) as Notation;
}

const classesOf = (kind: string): readonly string[] =>
  (valueKinds as Readonly<Record<string, { readonly classes: readonly string[] }>>)[kind.split(':')[0] ?? '']
    ?.classes ?? [];

/**
 * True when a kind of value from the documents may stand for that of the cloud: it is the same or a more exact one, and
 * money is money in both.
 */
export const refines = (kind: string, cloud: string): boolean =>
  kind.startsWith('model:') ||
  kind === cloud ||
  ((kind === 'money') === (cloud === 'money') &&
    classesOf(cloud).every(name => classesOf(kind).includes(name)) &&
    (cloud === 'text' || cloud === 'number' || cloud === 'count' || cloud === 'code' || kind.startsWith('code')));

function mergeValue(cloud: unknown, known: unknown): Notation {
  if (partsOf(known).type !== 'value') return cloud as Notation;
  const isKept = refines(kindOf(known), kindOf(cloud));
  const { of, requires, ...limits } = isObject(known) ? known : {};
  const kind = isKept ? kindOf(known) : kindOf(cloud);
  const codes = kind === 'code' ? ((isObject(cloud) ? cloud.of : undefined) ?? of) : undefined;
  const said = {
    ...(isKept && limits),
    kind: `${kind}${isOptional(cloud) ? '?' : ''}`,
    ...(codes !== undefined && { of: codes }),
    ...(requires !== undefined && { requires }),
  };
  return Object.keys(said).length === 1 ? said.kind : said;
}

/**
 * Merges the declaration of a reply from the cloud, whose fields are kept, with the known one, whose more exact kinds
 * and requirements stay.
 */
export function mergeReply(cloud: unknown, known: unknown): Notation {
  if (known === undefined) return cloud as Notation;
  const [from, to] = [partsOf(cloud), partsOf(known)];
  // A model stands for whatever the cloud says of it.
  if (to.type === 'value' && kindOf(known).startsWith('model:')) return known as Notation;
  if (from.type === 'value') return mergeValue(cloud, known);
  const said = {
    ...(to.requires !== undefined && { requires: to.requires }),
    ...(from.optional && { optional: true }),
  };
  const inner = from.type === to.type ? to.inner : undefined;
  if (from.type === 'list') return around([mergeReply((from.inner as [unknown])[0], (inner as [unknown])?.[0])], said);
  if (from.type === 'map') return { map: mergeReply(from.inner, inner), ...said };
  const fields = Object.entries(from.inner as Json).map(([name, field]) => [
    name,
    mergeReply(field, (inner as Json | undefined)?.[name]),
  ]);
  return around(Object.fromEntries(fields), said);
}

/** What two places of an operation answer alike: a field that one of them lacks may be absent. */
function meet(a: unknown, b: unknown): Notation {
  const [one, other] = [partsOf(a), partsOf(b)];
  if (one.type === 'value' || one.type !== other.type) return (isOptional(a) ? a : b) as Notation;
  const said = { optional: one.optional || other.optional };
  if (one.type === 'list') return around([meet((one.inner as [unknown])[0], (other.inner as [unknown])[0])], said);
  if (one.type === 'map') return { map: meet(one.inner, other.inner), ...(said.optional && said) };
  const [left, right] = [one.inner as Json, other.inner as Json];
  const fields = [...new Set([...Object.keys(left), ...Object.keys(right)])].map(name => [
    name,
    Object.hasOwn(left, name) && Object.hasOwn(right, name)
      ? meet(left[name], right[name])
      : mayBeAbsent(left[name] ?? right[name]),
  ]);
  return around(Object.fromEntries(fields), said);
}

function mayBeAbsent(notation: unknown): Notation {
  const { type, inner } = partsOf(notation);
  if (type === 'map') return { map: inner, optional: true };
  if (type !== 'value') return around(inner, { optional: true });
  return isObject(notation) ? { ...notation, kind: `${kindOf(notation)}?` } : `${kindOf(notation)}?`;
}

/** The reply of an operation as the cloud describes it; undefined where it describes none. */
export function describedReply(openApi: OpenApi, operation: Operation): Notation | undefined {
  const found = placesOf(operation).flatMap(({ method, path }) => {
    const reply = replyAt(openApi, method, path);
    return reply?.result ? [notationOf(reply.result)] : [];
  });
  const [first, ...others] = found;
  return others.reduce<Notation | undefined>((all, reply) => all && meet(all, reply), first);
}

import type { Requirement } from '../../../shared/language/types.ts';
import { describedReply } from '../import.ts';
import type { Notation, OpenApi } from '../open-api.ts';

type Json = Readonly<Record<string, unknown>>;
/** An operation of the edition before: rules by dotted path in place of a contract. */
type OldOperation = Json & {
  readonly reply?: Readonly<Record<string, Requirement>>;
  readonly openPrices?: readonly string[];
  readonly model?: string;
};
/** A field that documents show, with what tells its kind. */
export type Shown = { readonly operation: string; readonly path: string; readonly kind: string };

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** True for rules of the edition before, which stand under dotted paths of the envelope. */
const isOld = (reply: unknown): boolean =>
  isObject(reply) && Object.keys(reply).length > 0 && Object.keys(reply).every(name => /^Result(\.|$)/.test(name));

const models: Readonly<Record<string, Notation>> = {
  'dynamic-form': { kind: 'model:form', requires: 'anyone' },
  'generic-popup-schema': { kind: 'model:popup', requires: 'anyone' },
};

/** Replies of what no OpenAPI describes: what the portal answers itself, and the values of a generic popup. */
const fallbacks = (place: string, replies: ReadonlyMap<string, unknown>): Notation | undefined => {
  const itemsOf = (name: string) => ((replies.get(name) as Json | undefined)?.Items as [Json] | undefined)?.[0];
  const known: Readonly<Record<string, unknown>> = {
    'GET /api/popups/{popupId}/data/{organisationId}': { kind: 'model:values', requires: 'anyone' },
    'GET /sessions': {
      Items: [{ Handle: 'id', Device: 'text?', Address: 'text?', SignedIn: 'time', LastUse: 'time', IsThis: 'yes-no' }],
      Others: 'count',
    },
    'GET /security-log': {
      Items: [{ Id: 'id', At: 'time', Event: 'text', Outcome: 'text', Device: 'text?', Address: 'text?' }],
      Total: 'count',
    },
    'GET /second-factor': { Available: 'yes-no', Enabled: 'yes-no', Required: 'yes-no', RecoveryCodes: 'count?' },
    'GET /work-account': { Waiting: 'yes-no' },
    'GET /add-product/products': {
      Items: [{ ...itemsOf('marketplace.services'), Status: 'text?', Disabled: 'yes-no' }],
      Total: 'count',
    },
    'GET /add-product/customers': {
      ...(replies.get('marketplace.customers') as Json | undefined),
      Customers: [{ Id: 'id', Name: 'text', Status: 'text?', Added: 'yes-no', Disabled: 'yes-no' }],
    },
    'GET /managed-services': {
      Customer: 'id',
      Items: [itemsOf('customers.services')],
      Total: 'count',
      Only: { optional: true, of: itemsOf('customers.services') },
    },
    'GET /business-systems/{service}': { Name: 'text', State: 'text', Enabled: 'yes-no', Connected: 'yes-no' },
    'GET /order-address': {
      ...(replies.get('orders.subject') as Json | undefined),
      Action: { kind: 'code', of: ['Add', 'Modify', 'Upgrade', 'Retry'] },
      For: 'text',
      Service: 'text?',
    },
  };
  return known[place] as Notation | undefined;
};

/** A notation with something changed at a path, lists passed through item by item. */
function changeAt(notation: unknown, path: readonly string[], change: (found: unknown) => unknown): unknown {
  if (Array.isArray(notation)) return [changeAt(notation[0], path, change)];
  const [name, ...rest] = path;
  if (name === undefined) return change(notation);
  if (!isObject(notation)) return notation;
  if (Object.hasOwn(notation, 'of') && !Object.hasOwn(notation, 'kind'))
    return { ...notation, of: changeAt(notation.of, path, change) };
  if (!Object.hasOwn(notation, name)) return notation;
  return { ...notation, [name]: changeAt(notation[name], rest, change) };
}

const kindOf = (notation: unknown): string => String(isObject(notation) ? notation.kind : notation).replace('?', '');

/** Puts a requirement on a field, or "anyone" on money. */
const restrict =
  (requires: Requirement | 'anyone') =>
  (found: unknown): unknown => {
    if (typeof found === 'string') {
      const needless = kindOf(found) === 'money' && JSON.stringify(requires) === '{"prices":true}';
      return needless ? found : { kind: found, requires };
    }
    if (Array.isArray(found)) return { requires, of: found };
    if (isObject(found) && Object.hasOwn(found, 'kind')) return { ...found, requires };
    if (isObject(found) && Object.hasOwn(found, 'of')) return { ...found, requires };
    return { requires, of: found };
  };

/** Says of a text that documents show as a code, and the like. */
const refine =
  (kind: string) =>
  (found: unknown): unknown => {
    const written = typeof found === 'string' ? found : undefined;
    if (written === undefined) return found;
    const sign = written.endsWith('?') ? '?' : '';
    const base = written.replace('?', '');
    const fits = kind.startsWith('code:')
      ? base === 'text' || base === 'id' || base === 'count'
      : kind === 'bytes'
        ? base === 'count' || base === 'number'
        : kind === 'day' && base === 'text';
    return fits ? `${kind}${sign}` : found;
  };

const byName: readonly (readonly [RegExp, string])[] = [
  [/^id$|Id$/, 'id'],
  [/(^|[a-z])Email(Address)?$|^email(Address)?$/, 'email'],
  [/(^|[a-z])Domain(Name)?$/, 'domain'],
  [/^Phone$/, 'phone'],
  [/(Url|Href)$|^url$/, 'url'],
  [/^percent$/i, 'percent'],
];

const numeric = new Set(['count', 'number']);

/** Kinds that a field's name tells. */
function refineByName(notation: unknown, name = ''): unknown {
  if (Array.isArray(notation)) return [refineByName(notation[0], name)];
  if (isObject(notation)) {
    if (Object.hasOwn(notation, 'kind')) return notation;
    if (Object.hasOwn(notation, 'of')) return { ...notation, of: refineByName(notation.of, name) };
    return Object.fromEntries(Object.entries(notation).map(([field, inner]) => [field, refineByName(inner, field)]));
  }
  const [, kind] = byName.find(([pattern]) => pattern.test(name)) ?? [];
  if (kind === undefined || typeof notation !== 'string') return notation;
  const base = notation.replace('?', '');
  const fits = kind === 'id' || kind === 'percent' ? base !== 'id' && numeric.has(base) : base === 'text';
  return fits ? notation.replace(base, kind) : notation;
}

/**
 * Migration: gives the operations of edition 1 of the layout language a declared reply, read from the cloud's OpenAPI
 * description and from how documents show the fields (`shown`); operations that declare one stay as they are.
 */
export function migrateContracts(
  operations: Readonly<Record<string, OldOperation>>,
  openApi: OpenApi,
  shown: readonly Shown[],
): Record<string, Json> {
  const replies = new Map<string, unknown>();
  const out: Record<string, Json> = {};
  const inOrder = Object.entries(operations).sort(
    ([, a], [, b]) => Number(a.service === 'portal') - Number(b.service === 'portal'),
  );
  for (const [name, operation] of inOrder) {
    const { reply, openPrices = [], model, ...rest } = operation;
    if (reply !== undefined && !isOld(reply)) {
      replies.set(name, reply);
      out[name] = operation;
      continue;
    }
    const place = `${String(operation.method)} ${String(operation.path)}`;
    const described = describedReply(openApi, { ...rest, reply: undefined } as never);
    const fallback = fallbacks(place, replies);
    let made: unknown = operation.file !== undefined ? undefined : (models[model ?? ''] ?? fallback ?? described);
    if (made !== undefined && fallback === undefined) made = refineByName(made);
    for (const { operation: shownBy, path, kind } of shown)
      if (shownBy === name) made = changeAt(made, belowResult(path), refine(kind));
    for (const [path, requires] of Object.entries(reply ?? {}))
      made = changeAt(made, belowResult(path), restrict(requires));
    for (const path of openPrices) made = changeAt(made, belowResult(path), restrict('anyone'));
    replies.set(name, made);
    // Its place among the properties is that of the rules.
    const properties = Object.entries({ ...rest, ...(made !== undefined && { reply: made }) });
    out[name] = Object.fromEntries(properties);
  }
  return Object.fromEntries(Object.keys(operations).map(name => [name, out[name] as Json]));
}

const belowResult = (path: string): readonly string[] => path.split('.').slice(1);

type Scope = { readonly sources: ReadonlyMap<string, string>; readonly row?: string };

/** Lists the fields of replies that a document shows by a catalogue or in a format, as `<operation> <path>`. */
export function shownIn(document: Json): Shown[] {
  const sources = new Map(
    Object.entries((document.data ?? {}) as Json).map(([name, source]) => [name, String((source as Json).operation)]),
  );
  const found: Shown[] = [];
  const resolve = (path: unknown, { row }: Scope): string | undefined => {
    if (typeof path !== 'string') return undefined;
    const [head = '', name = '', ...rest] = path.split('.');
    if (head === 'data') return `${sources.get(name) ?? ''} ${rest.join('.')}`;
    return head === 'row' && row !== undefined ? `${row}.${[name, ...rest].join('.')}` : undefined;
  };
  const note = (path: unknown, scope: Scope, kind: string): void => {
    const [operation = '', field = ''] = resolve(path, scope)?.split(' ') ?? [];
    if (field !== '') found.push({ operation, path: field, kind });
  };
  const visit = (value: unknown, scope: Scope): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, scope);
    if (!isObject(value)) return;
    const row = resolve(value.rows, scope);
    const inner = row === undefined ? scope : { ...scope, row };
    if (typeof value.catalogue === 'string') {
      const [coded = ''] = ['status', 'path'].filter(name => typeof value[name] === 'string');
      note(value[coded], inner, `code:${value.catalogue}`);
    }
    if (value.format === 'bytes') note(value.path, inner, 'bytes');
    if (value.format === 'date') note(value.path, inner, 'day');
    for (const item of Object.values(value)) visit(item, inner);
  };
  visit(document, { sources });
  return found;
}

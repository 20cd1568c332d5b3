import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Principal } from '../../server/access/principal.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import type { Access } from '../../server/layouts/trim/access-types.ts';
import { trim } from '../../server/layouts/trim/trim.ts';
import { compile } from '../fixtures/compiler.ts';
import { type Draw, drawFrom } from '../fixtures/draw.ts';
import { type Json, type SchemaSet, schemaSet } from '../fixtures/schemas.ts';
import { drawPrincipal } from './drawn-principal.ts';
import { drawSet } from './drawn-set.ts';

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isNode = (value: unknown): value is Json => isObject(value) && typeof value['type'] === 'string';

/** The same set with pieces of its screens and popups in parts: nodes, parts in parts, and what differs as parameters. */
function withParts(set: SchemaSet, draw: Draw): SchemaSet {
  const parts: Json[] = [];

  /** Takes some texts and paths out of nodes, as what a use gives. */
  function parametersOf(nodes: unknown): { body: unknown; parameters: Json; given: Json } {
    const parameters: Record<string, string> = {};
    const given: Record<string, unknown> = {};
    const visit = (value: unknown, key: string): unknown => {
      if (Array.isArray(value)) return value.map(item => visit(item, ''));
      // What a part gives to another is checked by the kinds of the other.
      if (isObject(value) && typeof value['part'] === 'string') return value;
      if (isObject(value))
        return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, visit(item, name)]));
      const isText = typeof value === 'string' && ['text', 'label', 'title'].includes(key) && value.startsWith('t.');
      const isPath = typeof value === 'string' && key === 'path' && /^(route|state|data)\./.test(value);
      if ((!isText && !isPath) || draw(3) > 0) return value;
      const name = `p${Object.keys(parameters).length}`;
      parameters[name] = isText ? 'text' : 'path';
      given[name] = value;
      return `part.${name}`;
    };
    return { body: visit(nodes, ''), parameters, given };
  }

  function cut(nodes: readonly unknown[], data?: unknown): Json {
    const id = `part${parts.length}`;
    const { body, parameters, given } = parametersOf(nodes);
    const [only] = body as readonly Json[];
    // What the only node requires, its use may require.
    const isOutside = nodes.length === 1 && only?.['requires'] !== undefined && draw(2) === 0;
    const children = isOutside ? [{ ...only, requires: undefined }] : body;
    parts.push({ id, parameters, ...(data !== undefined && { data }), children });
    return {
      part: id,
      ...(Object.keys(given).length > 0 && { with: given }),
      ...(isOutside && { requires: only?.['requires'] }),
    };
  }

  function visit(value: unknown): unknown {
    if (Array.isArray(value)) {
      const items = value.map(visit);
      const first = draw(items.length + 1);
      const last = first + draw(items.length + 1 - first);
      const some = items.slice(first, last);
      if (some.length === 0 || !some.every(item => isNode(item) || (isObject(item) && item['part'] !== undefined)))
        return items;
      return [...items.slice(0, first), cut(some), ...items.slice(last)];
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        name === 'children' || isObject(item) || Array.isArray(item) ? visit(item) : item,
      ]),
    );
  }

  const documentOf = (document: Json): Json => {
    const children = visit(document['children']) as unknown[];
    const { data, ...rest } = document;
    // All that the document reads, as the data of one part of its nodes.
    return data !== undefined && draw(2) === 0
      ? { ...rest, children: [cut(children, data)] }
      : { ...document, children };
  };
  return {
    ...set,
    screens: (set.screens ?? []).map(documentOf),
    popups: (set.popups ?? []).map(documentOf),
    parts,
  };
}

const bytesOf = ({ screens, popups, navigation, ...access }: Access) => ({
  screens: [...screens].map(([route, { bytes }]) => [route, bytes.toString()]),
  popups: [...popups].map(([id, { bytes }]) => [id, bytes.toString()]),
  navigation: navigation?.bytes.toString(),
  reads: [...access.reads.keys()].sort(),
  writes: [...access.writes.keys()].sort(),
  commands: [...access.commands.keys()].sort(),
});

test('screens written with parts are trimmed to the same bytes as the same screens written out', () => {
  const seen = { parts: 0, uses: 0, screens: 0 };
  fc.assert(
    fc.property(fc.noShrink(fc.integer()), seed => {
      const draw = drawFrom(seed);
      const { set: drawn, commands } = drawSet(draw, false);
      const set = {
        ...drawn,
        screens: (drawn.screens ?? []).map(screen => ({ query: ['f', 'q', 'tab', 'x'], ...screen })),
      };
      const cut = withParts(set, draw);
      const [written, parted] = [set, cut].map(one => {
        const { compiled, problems } = compile(schemaSet(one), commands);
        assert.deepEqual(problems.filter(({ severity }) => severity === 'error').map(formatProblem), []);
        return compiled;
      }) as [ReturnType<typeof compile>['compiled'], ReturnType<typeof compile>['compiled']];
      for (const principal of [drawPrincipal(draw), drawPrincipal(draw)] as Principal[]) {
        const expected = bytesOf(trim(written, principal));
        assert.deepEqual(bytesOf(trim(parted, principal)), expected);
        seen.screens += expected.screens.length;
      }
      seen.parts += cut.parts?.length ?? 0;
      seen.uses += JSON.stringify(cut.screens).split('"part":').length - 1;
    }),
    { numRuns: 150, includeErrorInReport: true },
  );
  assert.ok(seen.parts > 500 && seen.uses > 200 && seen.screens > 200, JSON.stringify(seen));
});

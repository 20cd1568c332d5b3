import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from '../../server/access/principal.ts';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import type { Access } from '../../server/layouts/trim/access-types.ts';
import { trim } from '../../server/layouts/trim/trim.ts';
import { compile } from '../fixtures/compiler.ts';
import { type Draw, drawFrom } from '../fixtures/draw.ts';
import { type Json, type SchemaSet, schemaSet } from '../fixtures/schemas.ts';
import { drawPrincipal } from './drawn-principal.ts';
import { feature, permissions, views } from './drawn-requirements.ts';
import { drawSet } from './drawn-set.ts';
import { type Expected, expectedFor } from './reference-trimmer.ts';

function compiledOf(set: SchemaSet, commands: CommandDeclaration[]) {
  const sources = schemaSet(set);
  const { compiled, problems } = compile(sources, commands);
  assert.deepEqual(problems.filter(problem => problem.severity === 'error').map(formatProblem), []);
  return { compiled, sources };
}

/** Every `name` in a tree, sorted. */
function all(name: string, value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value)
    .flatMap(([key, item]) => (key === name && typeof item === 'string' ? [item] : all(name, item)))
    .sort();
}

const fields = ['F0', 'F1', 'F2', 'Id', ...Array.from({ length: 400 }, (_, index) => `c${index}z`)];
const flat = Object.fromEntries(fields.map(name => [name, 1]));
const reply = { Result: { ...flat, Items: [{ ...flat, Sub: [{ ...flat, Sub: [flat] }] }] } };

function leaves(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap(item => leaves(item, at));
  if (value === null || typeof value !== 'object') return [at];
  return Object.entries(value).flatMap(([name, item]) => leaves(item, at === '' ? name : `${at}.${name}`));
}

const operationNames = ['g.plain', 'g.closed', 'g.own', 'g.joined', 'w.form', 'w.own'];
const pathsOf = (access: Access): string[] =>
  operationNames
    .flatMap(name =>
      leaves(access.project(name, reply))
        .map(path => `${name} ${path}`)
        .filter(line => !line.endsWith(' ')),
    )
    .sort();

function summary(access: Access) {
  const documents = [
    ...access.screens.values(),
    ...access.popups.values(),
    ...(access.navigation ? [access.navigation] : []),
  ];
  return {
    documents: Object.fromEntries(
      documents.map(layout => [
        layout.layout.kind === 'navigation' ? 'navigation' : `${layout.layout.kind}:${layout.id}`,
        all('testId', JSON.parse(layout.bytes.toString())),
      ]),
    ),
    landing: access.landing,
    reads: [...access.reads.keys()].sort(),
    files: [...access.files.keys()].sort(),
    writes: [...access.writes.keys()].sort(),
    commands: [...access.commands.keys()].sort(),
    paths: pathsOf(access),
    fields: access.writes.has('w.form')
      ? (access.writes.get('w.form')?.fields ?? []).map(field => field.propertyName).sort()
      : [],
  };
}

function summaryOf(expected: Expected): ReturnType<typeof summary> {
  const known = new Set(leaves(reply));
  return {
    documents: Object.fromEntries([...expected.documents].map(([key, document]) => [key, all('testId', document)])),
    landing: expected.landing,
    reads: [...expected.reads].sort(),
    files: [...expected.files].sort(),
    writes: [...expected.writes].sort(),
    commands: [...expected.commands].sort(),
    paths: [...expected.paths].filter(path => known.has(path.split(' ')[1] ?? '')).sort(),
    fields: expected.writes.has('w.form') ? [...expected.fields].sort() : [],
  };
}

const fieldIds = (set: SchemaSet): string[] => all('testId', set.forms);

/** What has a name in it is judged as another object. */
const isWrittenOut = (requires: unknown): boolean =>
  typeof requires === 'object' && !/"(?:viewer|priced)-/.test(JSON.stringify(requires));

function partsWithRequires(value: unknown): Json[] {
  if (value === null || typeof value !== 'object') return [];
  const own = value as Json;
  return [
    ...(own['testId'] !== undefined && isWrittenOut(own['requires']) ? [own] : []),
    ...Object.values(value).flatMap(partsWithRequires),
  ];
}

/** Declares the rules that hold for what anybody gets of any documents, with sets and principals drawn by `count` seeds. */
export function declareTrimRules(firstSeed: number, count: number): void {
  const check = (rule: (draw: Draw) => void): void => {
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      try {
        rule(drawFrom(seed));
      } catch (error) {
        throw new Error(`Seed ${seed}: ${(error as Error).message}`, { cause: error });
      }
    }
  };

  test('what a caller gets is what the reference trimmer says', () => {
    const seen = { kept: 0, gone: 0 };
    check(draw => {
      const { set, commands } = drawSet(draw, false);
      const { compiled } = compiledOf(set, commands);
      for (const principal of [drawPrincipal(draw), drawPrincipal(draw)]) {
        const found = summary(trim(compiled, principal));
        assert.deepEqual(found, summaryOf(expectedFor(set, commands, principal)));
        const kept = Object.values(found.documents).flat().length;
        seen.kept += kept;
        seen.gone += all('testId', set).length - kept;
      }
    });
    assert.ok(seen.kept > count * 5 && seen.gone > count * 5, JSON.stringify(seen));
  });

  test('a right more never takes a node, call or field away; a right less never gives one', () => {
    let nodes = 0;
    check(draw => {
      const { set, commands } = drawSet(draw, true);
      const { compiled } = compiledOf(set, commands);
      const less = drawPrincipal(draw);
      const gains: ((principal: Principal) => Principal)[] = [
        principal => ({ ...principal, views: [...principal.views, views[draw(views.length)] as string] }),
        principal => ({
          ...principal,
          permissions: [...principal.permissions, permissions[draw(permissions.length)] as string],
        }),
        principal => ({ ...principal, prices: true }),
        principal => ({ ...principal, features: [...principal.features, feature] }),
      ];
      const more = (gains[draw(gains.length)] as (principal: Principal) => Principal)(less);
      const [few, many] = [summary(trim(compiled, less)), summary(trim(compiled, more))];
      const within = (a: readonly string[], b: readonly string[], what: string) =>
        assert.deepEqual(
          a.filter(one => !b.includes(one)),
          [],
          what,
        );
      for (const [key, ids] of Object.entries(few.documents)) within(ids, many.documents[key] ?? [], key);
      for (const key of ['reads', 'writes', 'commands', 'paths', 'fields'] as const) within(few[key], many[key], key);
      nodes += Object.values(few.documents).flat().length;
    });
    assert.ok(nodes > count * 5, `${nodes} nodes`);
  });

  test('nothing of a trimmed part is in the bytes, the words or the capabilities, and no right ever is', () => {
    let canaries = 0;
    check(draw => {
      const { set, commands } = drawSet(draw, false);
      const texts = {
        ...set.texts,
        runtime: { save: [{ requires: { views: ['viewCanaryA'] }, text: 'c999z' }, { text: 'Save' }] },
      };
      const { compiled } = compiledOf({ ...set, texts }, commands);
      const principal = drawPrincipal(draw);
      const access = trim(compiled, principal);
      const kept = new Set([
        ...Object.values(summary(access).documents).flat(),
        ...(principal.views.includes('viewCanaryA') ? ['c999z'] : []),
      ]);
      const capabilities = [access.reads, access.writes, access.commands].flatMap(map =>
        [...map].map(([name, { parameters, fields }]) => [name, [...parameters], fields]),
      );
      const sent = JSON.stringify([
        [...access.byHash.values()].map(layout => layout.bytes.toString()),
        access.words,
        capabilities,
        access.patterns,
        access.landing,
      ]);
      for (const [canary] of sent.matchAll(/c\d+z/g)) {
        assert.ok(kept.has(canary) || fieldIds(set).includes(canary), canary);
        canaries += 1;
      }
      assert.doesNotMatch(sent, /Canary|requires/);
    });
    assert.ok(canaries > count * 5, `${canaries} canaries`);
  });

  test('trimming is pure: the same caller gets the same hashes, and the documents stay as they were', () => {
    check(draw => {
      const { set, commands } = drawSet(draw, false);
      const { compiled, sources } = compiledOf(set, commands);
      const before = JSON.stringify(sources.map(source => source.json));
      const [one, other] = [drawPrincipal(draw), drawPrincipal(draw)];
      const hashes = (principal: Principal) => [...trim(compiled, principal).byHash.keys()];
      const first = hashes(one);
      hashes(other);
      assert.deepEqual(hashes(one), first);
      const again = trim(compiledOf(set, commands).compiled, one);
      assert.deepEqual([...again.byHash.keys()], first);
      assert.equal(JSON.stringify(sources.map(source => source.json)), before);
    });
  });

  test('an exception while a part is evaluated denies that part and nothing else', () => {
    let taken = 0;
    check(draw => {
      const { set, commands } = drawSet(draw, false);
      const { compiled, sources } = compiledOf(set, commands);
      const principal = drawPrincipal(draw);
      const kept = new Set(Object.values(summary(trim(compiled, principal)).documents).flat());
      const nodes = sources
        .flatMap(source => partsWithRequires(source.json))
        .filter(({ testId }) => kept.has(String(testId)));
      const broken = nodes[draw(Math.max(1, nodes.length))];
      if (!broken) return;
      const { testId } = broken;
      const answering = (get: () => unknown) => {
        Object.defineProperty(broken['requires'], 'views', { enumerable: true, configurable: true, get });
        return summary(trim(compiled, principal));
      };
      // What is denied may leave something else: a press that would send a field needs no value for it where it is not.
      const denied = answering(() => ['viewOfNobody']);
      const after = answering(() => assert.fail('out of order'));
      taken += 1;
      for (const ids of Object.values(after.documents)) assert.ok(!ids.includes(String(testId)));
      assert.deepEqual(after, denied);
    });
    assert.ok(taken > count / 2, `${taken} parts`);
  });
}

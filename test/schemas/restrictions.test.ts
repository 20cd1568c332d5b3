import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { commandDeclarations } from '../../server/commands/index.ts';
import { check, type Problem } from '../../server/layouts/index.ts';
import { createLoader, parseSource } from '../../server/layouts/load/load.ts';
import type { Source } from '../../server/layouts/names/source.ts';

let sources: readonly Source[];
/** Every field of a contract that says who may have it: its file, and the text of the rule. */
const rules: { readonly file: string; readonly rule: string }[] = [];

/** What is said of the documents without those, whatever their contracts say. */
const known = new Set<string>();

before(async () => {
  // Nothing that is drawn: it says nothing about contracts, and each check would compile all of it.
  const drawn = new Set(['screen', 'popup', 'part', 'journey', 'navigation']);
  sources = createLoader('schemas')().sources.filter(({ kind }) => !drawn.has(kind));
  for (const problem of await errorsOf(sources)) known.add(problem);
  for (const { file, json } of sources.filter(({ kind }) => kind === 'operations'))
    for (const { reply } of Object.values(json['operations'] as Record<string, { readonly reply?: unknown }>))
      for (const rule of rulesIn(reply)) rules.push({ file, rule });
});

function rulesIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'requires' ? [JSON.stringify({ requires: inner })] : rulesIn(inner),
  );
}

/** What is said of the documents with a file's text changed. */
async function problemsWith(file: string, change: (text: string) => string): Promise<string[]> {
  const changed = sources.map(source => {
    if (source.file !== file) return source;
    const text = JSON.stringify(source.json);
    const next = change(text);
    assert.notEqual(next, text);
    return parseSource(file, next);
  });
  const loaded = {
    sources: changed.filter(source => 'hash' in source),
    problems: changed.flatMap(source => ('hash' in source ? [] : source)),
  };
  return (await errorsOf(loaded.sources, loaded.problems)).filter(problem => !known.has(problem));
}

async function errorsOf(read: readonly Source[], unread: readonly Problem[] = []): Promise<string[]> {
  const { problems } = await check({ sources: read, problems: unread }, commandDeclarations);
  return problems.filter(({ severity }) => severity === 'error').map(problem => `${problem.file} ${problem.message}`);
}

test('a requirement on a field with one letter wrong is refused, and what was meant is named', async () => {
  const distinct = new Map(rules.map(({ file, rule }) => [rule, file]));
  assert.ok(distinct.size > 3, `only ${distinct.size} rules were found`);
  let tried = 0;
  for (const [rule, file] of distinct) {
    const inner = rule.slice(1, -1);
    for (let at = 0; at < inner.length; at++) {
      if (!/[A-Za-z]/.test(inner[at] as string)) continue;
      const wrong = `${inner.slice(0, at)}${inner[at]?.toLowerCase() === 'x' ? 'q' : 'x'}${inner.slice(at + 1)}`;
      const said = await problemsWith(file, text => text.replace(inner, wrong));
      assert.ok(said.length > 0, `${wrong} in ${file} was taken`);
      assert.deepEqual(
        said.filter(line => !line.startsWith(file)),
        [],
      );
      tried += 1;
    }
  }
  assert.ok(tried > 80, `only ${tried} mistakes were tried`);
});

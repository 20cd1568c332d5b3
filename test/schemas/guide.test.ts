import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { withReference } from '../../scripts/docs/guide.ts';
import { readTopics } from '../../scripts/docs/site.ts';
import { principalOf } from '../../scripts/schemas/principal.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkReach } from '../../server/layouts/check/reach.ts';
import { compile } from '../../server/layouts/compile/compile.ts';
import { formatProblem } from '../../server/layouts/index.ts';
import { createLoader, parseSource } from '../../server/layouts/load/load.ts';
import type { Compiled } from '../../server/layouts/pass.ts';
import { trim } from '../../server/layouts/trim/trim.ts';
import { type GuideEdit, readGuideEdits, takeGuideEdit } from '../fixtures/guide-edits.ts';

let guide: string;
let steps: readonly GuideEdit[];
let files: Map<string, Record<string, unknown>>;
before(async () => {
  guide = await readFile('schemas/README.md', 'utf8');
  steps = readGuideEdits(guide);
  const { sources } = await createLoader('schemas')();
  files = new Map(sources.map(({ file, json }) => [file, structuredClone(json)]));
});

function compiled(): Compiled {
  const sources = [...files].map(([file, json]) => {
    const source = parseSource(file, JSON.stringify(json));
    assert.ok('file' in source);
    return source;
  });
  const result = compile(sources, commandDeclarations);
  assert.deepEqual([...result.problems, ...checkReach(result.compiled)].map(formatProblem), []);
  return result.compiled;
}

test('every step of the guide does what it says: screen, menu entry, field, column, role rule, wizard, part', () => {
  assert.deepEqual(
    steps.map(({ does }) => does),
    ['file', 'file', 'into', 'into', 'into', 'merge', 'file', 'merge', 'into', 'file', 'into'],
  );
  for (const step of steps) takeGuideEdit(files, step);
  const schemas = compiled();
  const shown = (without: string[]) => trim(schemas, principalOf(schemas, 'engineer', without));
  const full = shown([]);
  const hello = full.screens.get('/hello')?.bytes.toString() ?? '';
  assert.match(hello, /Good to see you/);
  assert.match(hello, /row\.MonthlySpend/);
  assert.match(hello, /"failed-customers"/);
  assert.match(hello, /row\.Users/);
  assert.match(full.navigation?.bytes.toString() ?? '', /"to":"\/hello"/);
  assert.ok(full.writes.get('users.create')?.fields?.some(({ propertyName }) => propertyName === 'Phone'));
  for (const missing of ['addOrEditCustomers', 'prices'])
    assert.doesNotMatch(shown([missing]).screens.get('/hello')?.bytes.toString() ?? '', /MonthlySpend/);
  assert.ok(full.commands.has('new-customer.step'));
  assert.match(hello, /customers\.contactName|Contact name/i);
  assert.equal(shown(['addOrEditCustomers']).commands.has('new-customer.step'), false);
  assert.equal(trim(schemas, principalOf(schemas, 'endUser')).screens.has('/hello'), false);
});

test('the reference in the guide is what `npm run docs` writes', async () => {
  assert.equal(guide, withReference(guide, await readTopics('schemas')));
});

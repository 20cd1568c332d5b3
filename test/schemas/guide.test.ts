import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { principalWithAllRights } from '../../scripts/schemas/principal.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { formatProblem } from '../../server/layouts/index.ts';
import { createLoader, parseSource } from '../../server/layouts/load/load.ts';
import type { Compiled } from '../../server/layouts/names/pass.ts';
import { checkReach } from '../../server/layouts/trim/check-reach.ts';
import { trim } from '../../server/layouts/trim/trim.ts';
import { compile } from '../fixtures/compiler.ts';
import { type GuideEdit, readGuideEdits, takeGuideEdit } from '../fixtures/guide-edits.ts';

let guide: string;
let steps: readonly GuideEdit[];
let files: Map<string, Record<string, unknown>>;
before(async () => {
  guide = await readFile('schemas/README.md', 'utf8');
  steps = readGuideEdits(guide);
  const { sources } = createLoader('schemas')();
  files = new Map(sources.map(({ file, json }) => [file, structuredClone(json)]));
  for (const step of steps) takeGuideEdit(files, step);
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

test('every step of the guide does what it says, and no step leaves documents that the check refuses', () => {
  const files = steps.map(({ does, file }) => `${does} ${file}`);
  assert.deepEqual(files, [
    ...['file hello/hello.json', 'file text/en/hello.json', 'into navigation.json'],
    ...['into users/new-user-form.json', 'into hello/hello.json', 'merge hello/hello.json', 'into hello/hello.json'],
    ...['merge hello/hello.json'],
    ...['file hello/operations.json', 'file hello/all-orders.json', 'merge text/en/hello.json'],
    ...['merge hello/operations.json', 'file hello/sent-file-form.json', 'file hello/send-usage.json'],
    ...[
      'merge text/en/hello.json',
      'merge hello/hello.json',
      'into hello/all-orders.json',
      'into hello/all-orders.json',
    ],
    ...['into hello/all-orders.json', 'merge text/en/hello.json', 'file hello/new-customer.json'],
    ...['merge text/en/hello.json', 'into hello/hello.json', 'file hello/customer-table.json', 'into hello/hello.json'],
  ]);
  const schemas = compiled();
  const shown = (without: string[]) => trim(schemas, principalWithAllRights(schemas, 'engineer', without));
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
  assert.equal(trim(schemas, principalWithAllRights(schemas, 'endUser')).screens.has('/hello'), false);
});

test('the screen of orders of the guide has pages, a filter, a chart and a timeline, and prices for some alone', () => {
  const schemas = compiled();
  const screenOf = (without: string[]) =>
    trim(schemas, principalWithAllRights(schemas, 'engineer', without))
      .screens.get('/hello/orders')
      ?.bytes.toString() ?? '';
  const orders = screenOf([]);
  assert.match(orders, /"total":"data\.orders\.Result\.Total"/);
  for (const type of ['stat', 'filter', 'table', 'chart', 'timeline', 'text'])
    assert.ok(orders.includes(`"type":"${type}"`), type);
  assert.match(orders, /row\.MonthlyPrice/);
  for (const missing of ['addProducts', 'prices']) {
    assert.match(screenOf([missing]), /row\.Quantity/);
    assert.doesNotMatch(screenOf([missing]), /MonthlyPrice/);
  }
});

test('the popup of the guide sends a file, for those alone who may edit customers', () => {
  const schemas = compiled();
  const shown = (without: string[]) => trim(schemas, principalWithAllRights(schemas, 'engineer', without));
  assert.ok(shown([]).writes.has('hello.sendUsage'));
  assert.match(shown([]).screens.get('/hello')?.bytes.toString() ?? '', /"send-usage"/);
  const other = shown(['addOrEditCustomers']);
  assert.equal(other.writes.has('hello.sendUsage'), false);
  assert.doesNotMatch(other.screens.get('/hello')?.bytes.toString() ?? '', /"send-usage"/);
});

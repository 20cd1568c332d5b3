import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { explainDocument } from '../../scripts/schemas/explain.ts';
import { listScreens } from '../../scripts/schemas/list.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { readFolder } from '../../server/layouts/index.ts';
import type { Compiled } from '../../server/layouts/names/pass.ts';
import { compiler } from '../fixtures/compiler.ts';

let compiled: Compiled;
before(async () => {
  compiled = (await readFolder('schemas', commandDeclarations, compiler)).compiled as Compiled;
});

test('the table of contents lists a screen for those alone who have it', () => {
  const all = listScreens(compiled, undefined, []).split('\n');
  const customers = all.find(line => line.startsWith('/customers '))?.split(/ {2,}/);
  assert.deepEqual(customers, ['/customers', 'customers', '-', 'yes', 'yes', '-', '-', '-']);
  assert.match(listScreens(compiled, 'engineer', []), /^\/customers\/add +add-customer +Add customer/m);
  assert.doesNotMatch(listScreens(compiled, 'engineer', ['addOrEditCustomers']), /\/customers\/add /);
});

test('a screen is explained: why a part is not there, where it stands, and what can be called', () => {
  const said = explainDocument(compiled, 'customers', 'engineer', ['prices']);
  assert.match(said, /^screen customers as engineer: is there/);
  assert.match(said, /TRIMMED columns spend: field Result\.Items\.MonthlySpend of customers\.list: prices \(prices\)/);
  assert.match(said, /\[customers\/customers\.json:\d+:\d+\]/);
  const fields = /^ {2}customers\.list: (.*)$/m.exec(said)?.[1]?.split(', ') ?? [];
  assert.ok(fields.includes('Result.Items.Name') && !fields.includes('Result.Items.MonthlySpend'));
  assert.match(explainDocument(compiled, 'customers', 'endUser', []), /IS NOT THERE[\s\S]*Nothing can be called\./);
});

test('of a call that is in several places it is said where it is for the caller, and why there', () => {
  const called = (without: string[]) => explainDocument(compiled, 'psa-overview', 'reseller', without);
  assert.match(
    called([]),
    /^ {2}psa\.overview at GET \/api\/integration\/overview \(elsewhere with old-psa-service \(not \(features UseNewPSAService\)\)\): Result/m,
  );
  assert.match(
    called(['UseNewPSAService']),
    /^ {2}psa\.overview at GET \/api\/integration\/psaOverview \(since old-psa-service \(not \(features UseNewPSAService\)\)\): Result/m,
  );
  assert.match(explainDocument(compiled, 'customers', 'engineer', []), /^ {2}customers\.list: /m);
});

test('a name that is wrong is told with the one that may be meant', () => {
  assert.throws(() => explainDocument(compiled, 'custmers', 'engineer', []), /Did you mean "customers"/);
  assert.throws(() => listScreens(compiled, 'enginer', []), /Did you mean "engineer"/);
  assert.throws(() => listScreens(compiled, 'engineer', ['price']), /Did you mean "prices"/);
});

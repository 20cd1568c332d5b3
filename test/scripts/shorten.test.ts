import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shorten } from '../../scripts/schemas/shorten/shorten.ts';
import { gatherFacts } from '../../server/layouts/expand/folder-facts.ts';
import { parseSource, type Source } from '../../server/layouts/load/load.ts';

type Json = Readonly<Record<string, unknown>>;

function source(file: string, json: Json): Source {
  const parsed = parseSource(file, JSON.stringify(json));
  assert.ok('file' in parsed, JSON.stringify(parsed));
  return parsed;
}

const facts = gatherFacts(
  [
    source('people/operations.json', {
      $schema: '../meta/operations.schema.json',
      operations: {
        'people.list': {
          ...{ service: 'cloud', method: 'GET', path: '/people', refreshOn: ['services'] },
          reply: {
            Spend: 'money',
            Name: 'text',
            Latest: { Spend: 'money' },
            Items: [{ Id: 'id', Name: 'text' }],
            Total: 'count',
          },
        },
        'people.groups': { service: 'cloud', method: 'GET', path: '/groups', reply: { Total: 'count' } },
      },
    }),
    source('text/en/people.json', { $schema: '../../meta/texts.schema.json', spent: 'Spent', title: 'People' }),
  ],
  [],
);

const $schema = '../meta/screen.schema.json';
const begin = { $schema, id: 'people', route: '/people', title: 'people.title', requires: 'anyone' };

/** The short form of a screen that is written in its long form. */
const shortOf = (json: Json): Json =>
  JSON.parse(JSON.stringify(shorten(source('people/people.json', { ...begin, ...json }), facts)));

test('a value whose format is known is its path, without the Result', () => {
  const data = { people: { operation: 'people.list', refreshOn: ['services'] } };
  const money = (path: string) => ({ path: `data.people.Result.${path}`, format: 'currency' });
  const text = (values: Json): Json => ({ type: 'text', text: 'people.spent', values });
  const { children } = shortOf({
    data,
    children: [
      text({ spend: money('Spend') }),
      text({ amount: money('Latest.Spend') }),
      text({ spend: { ...money('Spend'), format: 'number' } }),
    ],
  });
  assert.deepEqual(children, [
    { text: 'people.spent', values: ['data.people.Spend'] },
    { text: 'people.spent', values: { amount: 'data.people.Latest.Spend' } },
    { text: 'people.spent', values: { spend: { path: 'data.people.Spend', format: 'number' } } },
  ]);
});

test('a part that is left with one value beside its defaults is that value, such as a data source and the sizes of pages', () => {
  const all = { operation: 'people.list', refreshOn: ['services'] };
  const groups = { operation: 'people.groups' };
  assert.deepEqual(shortOf({ data: { all, groups } }).data, { all: 'people.list', groups: 'people.groups' });
  const silent = { operation: 'people.list' };
  const others = { operation: 'people.list', refreshOn: ['customers'] };
  const often = { operation: 'people.list', every: 5000, refreshOn: ['services'] };
  assert.deepEqual(shortOf({ data: { silent, others, often } }).data, {
    silent: { operation: 'people.list', refreshOn: false },
    others,
    often: { operation: 'people.list', every: 5000 },
  });
  const paged = { ...all, with: { page: 'route.page', pageSize: 'route.size' } };
  const table = {
    ...{ type: 'table', rows: 'data.paged.Result.Items', id: 'paged', testId: 'paged-table', label: 'people.title' },
    ...{ key: 'Id', columns: [{ id: 'name', title: 'people.title', path: 'row.Name', priority: 'lead' }] },
    paging: { page: 'route.page', size: 'route.size', sizes: [10, 20], total: 'data.paged.Result.Total' },
  };
  const { children } = shortOf({ data: { paged }, children: [table] });
  assert.deepEqual((children as readonly Json[])[0]?.paging, [10, 20]);
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { describeReplies, replyTypesFile } from '../../scripts/schemas/reply-types.ts';
import { createLoader, parseSource } from '../../server/layouts/load/load.ts';
import type { Source } from '../../server/layouts/names/source.ts';

test('the types by which commands read replies are those of the contracts (npm run schemas types)', async () => {
  const { sources } = createLoader('schemas')();
  const types = await readFile(replyTypesFile, 'utf8');
  assert.ok(types.includes("'customers.list'"));
  assert.equal(types, describeReplies(sources));
});

test('a field that a caller may lack may be absent, and one that is optional null besides', () => {
  const operations = {
    'a.get': {
      ...{ service: 'cloud', method: 'GET', path: '/a' },
      reply: {
        Id: 'id',
        Name: 'text?',
        Price: 'money',
        Size: { kind: 'code', of: ['small', 7] },
        'other-name': 'yes-no',
        Items: [{ Counts: { map: 'count' } }],
        Form: { kind: 'model:form', requires: 'anyone' },
      },
    },
    'a.set': { service: 'cloud', method: 'POST', path: '/a' },
  };
  const text = JSON.stringify({ $schema: 'meta/operations.schema.json', operations });
  const source = parseSource('a/operations.json', text) as Source;
  assert.deepEqual(
    describeReplies([source])
      .split('\n')
      .filter(line => /'a\./.test(line)),
    [
      "type Silent = 'a.set';",
      "  readonly 'a.get': { readonly Id: Id; readonly Name?: string | null; readonly Price?: Money; readonly Size: 'small' | 7; readonly 'other-name': boolean; readonly Items: readonly ({ readonly Counts: { readonly [name: string]: number }; })[]; readonly Form: unknown; };",
    ],
  );
});

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { runSchemas } from '../fixtures/schemas-tool.ts';

const schemas = withEditedSchemas();

const resellers = { userTypes: ['reseller'] };
const asking = (requires: object): object => ({ reply: { A: { kind: 'text', requires } } });
const taking = (rule: object): object => ({ reply: { A: 'text' }, with: { days: { type: 'integer', ...rule } } });
const address = { path: '/api/same/{id}', with: { id: { type: 'string' } } };

type Cases = Readonly<Record<string, readonly [operation: object, said: string]>>;

/** What contradicts itself or restricts nothing, each with what is said of it. */
const cases: Cases = {
  'a parameter whose least value is above the greatest': [
    taking({ minimum: 5, maximum: 1 }),
    '"minimum" is above "maximum", so that no value is right.',
  ],
  'a first value beyond the greatest': [
    taking({ minimum: 1, maximum: 5, default: 9 }),
    'The parameter "days" of "case.b" cannot be 9; it is at most 5, as "with" in cases/operations.json declares.',
  ],
  'a first value that is not offered': [
    taking({ enum: [7, 14], default: 9 }),
    'The parameter "days" of "case.c" cannot be 9; it can be 7, 14, as "with" in cases/operations.json declares.',
  ],
  'a flag that is to be on and off': [
    asking({ all: [{ features: ['CrossSell'] }, { not: { features: ['CrossSell'] } }] }),
    'Nobody can meet this: (features CrossSell) and (not (features CrossSell)).',
  ],
  'a flag that may be on or off': [
    { ...asking({ any: [{ features: ['CrossSell'] }, { not: { features: ['CrossSell'] } }] }), requires: resellers },
    'This restricts nothing: whoever may call the operation has it.',
  ],
  'a field for those who may not call': [
    { ...asking({ userTypes: ['endUser'] }), requires: resellers },
    'Nobody who may call the operation may have this.',
  ],
  'a field for all who may call': [
    { ...asking({ userTypes: ['reseller', 'engineer'] }), requires: resellers },
    'This restricts nothing: whoever may call the operation has it.',
  ],
  'a file that is a list too': [{ reply: ['text'], file: 'text/csv' }, 'What gives a file has no other reply.'],
  'an amount': [{ ...address, reply: { Items: [{ Id: 'id', Price: 'money' }] } }, ''],
  'the same amount as a number': [
    { ...address, reply: { Items: [{ Id: 'id', Price: 'number' }] } },
    '"Result.Items.Price" is something else in "case.i", which asks the same address.',
  ],
  'a number as words': [
    { ...address, reply: { Items: [{ Id: 'yes-no' }] } },
    '"Result.Items.Id" is something else in "case.i", which asks the same address.',
  ],
};
/** What is said before it is seen how operations fit together. */
const ofItself: Cases = {
  'a least value above the greatest': [
    { reply: { A: { kind: 'count', min: 5, max: 1 } } },
    '"min" is above "max", so that no value is right.',
  ],
};
const nameOf = (index: number): string => `case.${'abcdefghijklmnop'[index]}`;

/** What `schemas check` says of the documents with these operations. */
async function errorsOf(all: Cases): Promise<string[]> {
  const operations = Object.values(all).map(([operation], index) => [
    nameOf(index),
    { service: 'cloud', method: 'GET', path: `/api/case-${index}`, ...operation },
  ]);
  const document = { $schema: '../meta/operations.schema.json', operations: Object.fromEntries(operations) };
  await mkdir(join(schemas.folder, 'cases'), { recursive: true });
  await writeFile(join(schemas.folder, 'cases/operations.json'), JSON.stringify(document, null, 2));
  const { code, text } = await runSchemas(['check', schemas.folder]);
  assert.equal(code, 1, text);
  return text.split('\n').filter(line => /: (error|warning): /.test(line));
}

for (const [what, all] of [
  ['a contract that contradicts itself', ofItself],
  ['a restriction that restricts nothing, or a contract that contradicts another,', cases],
] as const)
  test(`${what} is reported, and the check says where and why`, async () => {
    const lines = await errorsOf(all);
    const said = Object.values(all).flatMap(([, message]) => (message === '' ? [] : message));
    for (const line of lines) assert.match(line, /cases\/operations\.json:\d+:\d+: (error|warning): /);
    assert.deepEqual(lines.map(line => line.split(/: (?:error|warning): /)[1]).sort(), [...said].sort());
  });

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createProjection } from '../../server/layouts/project/project.ts';
import { createTextProjection } from '../../server/layouts/project/project-text.ts';
import { contractOf } from './contracts.ts';

const cut = (text: string, reply?: unknown) =>
  createTextProjection(reply === undefined ? undefined : contractOf(reply))?.(text);

test('a plain reply is cut in its own text', () => {
  const text =
    '{"Succeed":true,"Result":{"Price":"7.50","Name":"A","Owner":{"Phone":"1","Name":"B"},"Last":null},"Links":[]}';
  assert.equal(
    cut(text, { Name: 'text', Owner: { Name: 'text' } }),
    '{"Succeed":true,"Result":{"Name":"A","Owner":{"Name":"B"}}}',
  );
  assert.equal(cut(text, { Price: 'money', Last: 'time?' }), '{"Succeed":true,"Result":{"Price":"7.50","Last":null}}');
  assert.equal(cut(text), '{"Succeed":true}');
});

test('lists are cut item by item, and keep their commas', () => {
  const text =
    '{ "Result" : [ { "A" : 1 , "B" : 2 } , { "B" : 3 } , {  } , { "B" : 4 , "A" : null } ] , "Succeed" : true }';
  assert.deepEqual(JSON.parse(cut(text, [{ A: 'count?' }]) ?? ''), {
    Result: [{ A: 1 }, {}, {}, { A: null }],
    Succeed: true,
  });
  assert.deepEqual(JSON.parse(cut(text, [{ B: 'count?' }]) ?? ''), {
    Result: [{ B: 2 }, { B: 3 }, {}, { B: 4 }],
    Succeed: true,
  });
});

test('what breaks its contract is left to the parser: another kind, a field that is missing', () => {
  const reply = { Name: 'text', Owner: { optional: true, of: { Id: 'id' } }, Tags: { optional: true, of: ['text'] } };
  const texts = (result: string) => [
    `{"Succeed":true,"Result":${result}}`,
    `{"Succeed":true,"Result":[{"Name":"a"},{"Name":"b"},${result}]}`,
  ];
  const both = [reply, [{ ...reply }]];
  for (const result of [
    '{"Name":"a"}',
    '{"Name":"a","Owner":null,"Tags":null}',
    '{"Name":"a","Owner":{"Id":7},"Tags":["a"]}',
  ])
    texts(result).forEach((text, index) => {
      assert.equal(cut(text, both[index]), text);
    });
  for (const result of [
    '{}',
    'null',
    '[]',
    '7',
    '{"Name":null}',
    '{"Name":7}',
    '{"Name":["a"]}',
    '{"Name":"a","Owner":"b"}',
    '{"Name":"a","Owner":{}}',
    '{"Name":"a","Owner":[]}',
    '{"Name":"a","Tags":{}}',
    '{"Name":"a","Tags":[7]}',
    '{"Name":"a","Tags":[null]}',
  ])
    texts(result).forEach((text, index) => {
      assert.equal(cut(text, both[index]), undefined, text);
    });
  assert.equal(cut('{"Succeed":true}', 'text'), undefined);
  assert.equal(cut('{"Succeed":true}', 'text?'), '{"Succeed":true}');
});

test('what is not plain is left to the parser', () => {
  const replies = [
    '{"Succeed":true,"Result":{"Name":"a\\u0062"}}',
    '{"Succeed":true,"Result":{"N\\u0061me":"a"}}',
    '{"Succeed":true,"Result":{"Name":1,"Name":2}}',
    '{"Succeed":true,"Succeed":true}',
    '{"Succeed":true,"Result":{"Name":1e400}}',
    '{"Succeed":true,"Result":{"Name":-0}}',
    '{"Succeed":true,"Result":{"Name":12345678901234567890}}',
    '{"Succeed":true,"Messages":["a"]}',
    '{"Succeed":false,"Error":"No"}',
    '{"Succeed":"true"}',
    '{"Result":{"Name":1}}',
    '\ufeff{"Succeed":true}',
    '[{"Succeed":true}]',
    '"Succeed"',
    '',
    `{"Succeed":true,"Result":${'['.repeat(100_000)}`,
  ];
  for (const text of replies) assert.equal(cut(text, { Name: 'text?' }), undefined, text.slice(0, 80));
});

test('plain values pass as they are written, alone and in items that are written alike; others are left to the parser', () => {
  const texts = (value: string, other: string) =>
    [
      [`{"Succeed":true,"Result":{"Name":${value}}}`, false],
      [`{"Succeed":true,"Result":[{"Name":${other}},{"Name":${other}},{"Name":${value}}]}`, true],
      [`{"Succeed":true,\t"Result":\r[{"Name":${other}},\n{"Name":${other}}, {"Name":${value}}]}`, true],
    ] as const;
  const most = '9'.repeat(15);
  const check = (kind: string, other: string, value: string, passes: boolean) => {
    for (const [text, isList] of texts(value, other))
      assert.equal(cut(text, isList ? [{ Name: kind }] : { Name: kind }), passes ? text : undefined, text);
  };
  for (const value of ['0', '-1', '0.5', '-1.50', most, `-${most}`, 'null']) check('number?', '1', value, true);
  for (const value of ['true', 'false', 'null']) check('yes-no?', 'true', value, true);
  for (const value of ['""', '" "', '"~\u007f"', 'null']) check('text?', '"a"', value, true);
  for (const value of ['"0"', '"-1.50"', `"${most}.123456"`, 'null']) check('money?', '"1.00"', value, true);
  for (const value of [
    '7',
    '1.5',
    '""',
    '"1."',
    '".5"',
    '"1e3"',
    '"1,5"',
    '" 1"',
    `"${most}9"`,
    '"1.123456789012345678901"',
  ])
    check('money?', '"1.00"', value, false);
  for (const value of ['-0', '-0.5', '1E5', '1e5', '1.5e5', `${most}9`, `-${most}9`, '-', '-x'])
    check('number?', '1', value, false);
  for (const value of ['"\\n"', '"\u001f"']) check('text?', '"a"', value, false);
});

test('a reply is cut as text up to a depth, and so far that many fields can be told apart', () => {
  const nested = (levels: number): string =>
    `{"Succeed":true,"Other":${'['.repeat(levels)}${']'.repeat(levels)},"Result":1}`;
  assert.equal(cut(nested(51), 'count'), '{"Succeed":true,"Result":1}');
  assert.equal(cut(nested(52), 'count'), undefined);
  const inside = (levels: number): string =>
    `{"Succeed":true,"Result":{"Name":"a","Other":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
  assert.equal(cut(inside(50), { Name: 'text' }), '{"Succeed":true,"Result":{"Name":"a"}}');
  assert.equal(cut(inside(51), { Name: 'text' }), undefined);
  const names = Array.from({ length: 32 }, (_, index) => `Field${index}`);
  const read = (count: number) => contractOf(Object.fromEntries(names.slice(0, count).map(name => [name, 'count'])));
  const fields = names.map(name => `"${name}":1`);
  const text = `{"Succeed":true,"Result":{${fields.join()}}}`;
  const most = `{"Succeed":true,"Result":{${fields.slice(0, 31).join()}}}`;
  assert.equal(createTextProjection(read(31))?.(text), most);
  assert.equal(createTextProjection(read(32)), undefined);
});

test('text that is no JSON never passes, not even in parts that are left out', () => {
  const wrong = [
    '01',
    '1:',
    '1/',
    '1.',
    '.5',
    '+1',
    'tru',
    'truex',
    'nul',
    '"a',
    '"\n"',
    '{"a"}',
    '{"a":1,}',
    '{,}',
    '[1,]',
    '[1 2]',
    "'a'",
    '{a:1}',
    '',
  ];
  for (const value of wrong) {
    for (const name of ['Name', 'Other'])
      for (const kind of ['text?', 'number?', 'yes-no?'])
        assert.equal(
          cut(`{"Succeed":true,"Result":{"${name}":${value}}}`, { Name: kind }),
          undefined,
          `${name} ${value} ${kind}`,
        );
  }
  assert.equal(cut('{"Succeed":true} x', 'text?'), undefined);
});

test('HTML, models and values with limits are never cut as text', () => {
  for (const kind of ['html', { kind: 'model:values', requires: 'anyone' }, { kind: 'text', max: 3 }])
    assert.equal(createTextProjection(contractOf({ Note: kind })), undefined);
});

const name = fc.constantFrom('A', 'B', 'Name', 'Items', '__proto__', 'constructor', 'Succeed', 'Error', 'Zoë');
const plain = ['text', 'text?', 'count', 'count?', 'yes-no', 'yes-no?', 'id?', 'money'];
const kind = fc.constantFrom(...plain);
const { reply } = fc.letrec<{ reply: unknown }>(tie => ({
  reply: fc.oneof(
    { maxDepth: 3 },
    kind,
    tie('reply').map(item => [item]),
    fc
      .array(fc.tuple(fc.constantFrom('A', 'B', 'Name', 'Items'), tie('reply')), { minLength: 1, maxLength: 4 })
      .map(Object.fromEntries),
  ),
}));
const scalar = {
  text: fc.constantFrom('', 'plain', 'ünï ✓', 'a"b', 'a\\b', 'a\u2028'),
  count: fc.constantFrom(0, -1, 1.5, 1e21, 9007199254740992),
  'yes-no': fc.boolean(),
  money: fc.constantFrom('0', '-1.50', '123456789012345.123456', '1e3', '', 7.25, 1e21),
};
/** Mostly what a contract says, and now and then something else. */
function drawValue(declared: unknown): fc.Arbitrary<unknown> {
  const odd = fc.constantFrom<unknown>(null, true, 7, 'odd', [], {}, undefined);
  if (typeof declared === 'string') {
    const bare = declared.replace('?', '');
    const right: fc.Arbitrary<unknown> = scalar[bare as keyof typeof scalar] ?? fc.oneof(scalar.text, scalar.count);
    return fc.oneof(
      { weight: 20, arbitrary: declared.endsWith('?') ? fc.option(right) : right },
      { weight: 1, arbitrary: odd },
    );
  }
  const right = Array.isArray(declared)
    ? fc.array(drawValue(declared[0]), { maxLength: 4 })
    : fc
        .tuple(
          fc.record(
            Object.fromEntries(Object.entries(declared as object).map(([key, inner]) => [key, drawValue(inner)])),
          ),
          fc.array(fc.tuple(name, fc.constantFrom<unknown>(1, 'x', null, { A: 1 }, [[]])), { maxLength: 2 }),
        )
        .map(([own, others]) => ({ ...Object.fromEntries(others), ...own }));
  return fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: odd });
}

test('cut as text or parsed first, the same passes; what is cut as text breaks no contract', () => {
  const seen = { asText: 0, broken: 0 };
  fc.assert(
    fc.property(
      reply.chain(declared => fc.tuple(fc.constant(declared), drawValue(declared))),
      fc.constantFrom(0, 2),
      ([declared, result], indent) => {
        const contract = contractOf(declared);
        const text = JSON.stringify({ Other: result, Succeed: true, Result: result }, null, indent);
        const short = createTextProjection(contract)?.(text);
        let isBroken = false;
        const parsed = createProjection(contract)(JSON.parse(text), () => {
          isBroken = true;
        });
        if (isBroken) seen.broken += 1;
        if (short === undefined) return;
        seen.asText += 1;
        assert.equal(isBroken, false);
        assert.deepEqual(JSON.parse(short), JSON.parse(JSON.stringify(parsed)));
      },
    ),
    { numRuns: 5000 },
  );
  assert.ok(seen.asText > 500 && seen.broken > 500, JSON.stringify(seen));
});

test('items that are written alike, and those among them that are not, pass as they do parsed first', () => {
  const contract = contractOf([{ A: 'text?', Name: 'count', Owner: { optional: true, of: { Name: 'text' } } }]);
  const [short, parsed] = [createTextProjection(contract), createProjection(contract)];
  const fields = fc.shuffledSubarray(['A', 'B', 'N-1', 'Owner', '2'], { minLength: 1 });
  const values = fc.constantFrom<unknown>(null, 'a}', 'a,"', 'ünï ✓', 'b', { Name: 'n', B: 1 });
  const item = fc.tuple(fields, fc.array(values, { minLength: 6, maxLength: 6 }), fc.integer());
  const alike = Array.from({ length: 3 }, (_, Name) => ({ A: `${Name}`, B: null, Name, 'N-1': true }));
  let cutAsText = 0;
  fc.assert(
    fc.property(fc.array(item, { maxLength: 3 }), list => {
      const others = list.map(([names, drawn, Name]) => ({
        ...Object.fromEntries(names.map((field, index) => [field, drawn[index]])),
        Name,
      }));
      const text = JSON.stringify({ Succeed: true, Result: [...alike, ...others, ...alike] });
      const found = short?.(text);
      if (found === undefined) return;
      cutAsText += 1;
      assert.equal(found, JSON.stringify(JSON.parse(found)));
      assert.deepEqual(JSON.parse(found), parsed(JSON.parse(text)));
    }),
    { numRuns: 3000 },
  );
  assert.ok(cutAsText > 500, `${cutAsText} replies were plain`);
});

test('damaged text passes only where it is still JSON', () => {
  const text = JSON.stringify({
    Succeed: true,
    Result: {
      Items: [
        { A: 1, B: 'x' },
        { A: 2, B: [2.5, null] },
      ],
      Name: 'n',
    },
    Other: { A: [{}] },
  });
  const project = createTextProjection(contractOf({ Items: [{ A: 'count' }], Name: 'text' }));
  fc.assert(
    fc.property(
      fc.nat(text.length),
      fc.nat(3),
      fc.constantFrom('', ',', '"', '{', '}', '[', ']', ':', '0', '-', ' ', '\n', '\\'),
      (at, gone, put) => {
        const damaged = text.slice(0, at) + put + text.slice(at + gone);
        const short = project?.(damaged);
        if (short !== undefined) assert.doesNotThrow(() => [JSON.parse(damaged), JSON.parse(short)], damaged);
      },
    ),
    { numRuns: 5000 },
  );
});

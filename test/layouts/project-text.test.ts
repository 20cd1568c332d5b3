import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createProjection } from '../../server/layouts/project/project.ts';
import { createTextProjection } from '../../server/layouts/project/project-text.ts';

const pathsOf = (...paths: string[]) => paths.map(path => ({ path, html: false }));
const cut = (text: string, ...paths: string[]) => createTextProjection(pathsOf(...paths))?.(text);

test('a plain reply is cut in its own text', () => {
  const text =
    '{"Succeed":true,"Result":{"Price":7,"Name":"A","Owner":{"Phone":"1","Name":"B"},"Last":null},"Links":[]}';
  assert.equal(
    cut(text, 'Result.Name', 'Result.Owner.Name'),
    '{"Succeed":true,"Result":{"Name":"A","Owner":{"Name":"B"}}}',
  );
  assert.equal(cut(text, 'Result.Price', 'Result.Last'), '{"Succeed":true,"Result":{"Price":7,"Last":null}}');
  assert.equal(cut(text), '{"Succeed":true}');
});

test('lists are cut item by item, and keep their commas', () => {
  const text = '{ "Result" : [ 1 , { "A" : 1 , "B" : 2 } , "x" , [ { "B" : 3 } , 4 ] , null ] , "Succeed" : true }';
  assert.deepEqual(JSON.parse(cut(text, 'Result.A') ?? ''), { Result: [{ A: 1 }, [{}]], Succeed: true });
  assert.deepEqual(JSON.parse(cut(text, 'Result.B') ?? ''), { Result: [{ B: 2 }, [{ B: 3 }]], Succeed: true });
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
  for (const text of replies) assert.equal(cut(text, 'Result.Name'), undefined, text.slice(0, 80));
});

test('plain values pass as they are written, alone and in items that are written alike; others are left to the parser', () => {
  const texts = (value: string) => [
    `{"Succeed":true,"Result":{"Name":${value}}}`,
    `{"Succeed":true,"Result":[{"Name":1},{"Name":2},{"Name":${value}}]}`,
    `{"Succeed":true,\t"Result":\r[{"Name":1},\n{"Name":2}, {"Name":${value}}]}`,
  ];
  const most = '9'.repeat(15);
  for (const value of ['0', '-1', '0.5', '-1.50', most, `-${most}`, 'true', 'false', 'null', '""', '" "', '"~\u007f"'])
    for (const text of texts(value)) assert.equal(cut(text, 'Result.Name'), text);
  for (const value of ['-0', '-0.5', '1E5', '1e5', '1.5e5', `${most}9`, `-${most}9`, '"\\n"', '"\u001f"', '-', '-x'])
    for (const text of texts(value)) assert.equal(cut(text, 'Result.Name'), undefined, text);
});

test('a reply is cut as text up to a depth, and so far that many fields can be told apart', () => {
  const nested = (levels: number): string =>
    `{"Succeed":true,"Other":${'['.repeat(levels)}${']'.repeat(levels)},"Result":1}`;
  assert.equal(cut(nested(51), 'Result'), '{"Succeed":true,"Result":1}');
  assert.equal(cut(nested(52), 'Result'), undefined);
  const names = Array.from({ length: 32 }, (_, index) => `Field${index}`);
  const read = (count: number) => pathsOf(...names.slice(0, count).map(name => `Result.${name}`));
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
      assert.equal(cut(`{"Succeed":true,"Result":{"${name}":${value}}}`, 'Result.Name'), undefined, `${name} ${value}`);
  }
  assert.equal(cut('{"Succeed":true} x', 'Result.Name'), undefined);
});

test('fields that are sanitised or pass whole are never cut as text', () => {
  assert.equal(createTextProjection([{ path: 'Result.Note', html: true }]), undefined);
  assert.equal(createTextProjection([{ path: 'Result.Next', html: false, whole: true }]), undefined);
});

const name = fc.constantFrom('A', 'B', 'Name', 'Items', '__proto__', 'constructor', 'Succeed', 'Error', 'Zoë');
const { value } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e21,
      9007199254740992,
      '',
      'plain',
      'ünï ✓',
      'a"b',
      'a\\b',
      'a\u2028',
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map(Object.fromEntries),
  ),
}));
const path = fc.array(fc.constantFrom('A', 'B', 'Name', 'Items', 'constructor'), { minLength: 1, maxLength: 3 });

test('cut as text or parsed first, the same passes', () => {
  let cutAsText = 0;
  fc.assert(
    fc.property(value, fc.array(path, { maxLength: 6 }), fc.constantFrom(0, 2), (result, paths, indent) => {
      const read = pathsOf(...paths.map(parts => ['Result', ...parts].join('.')));
      const text = JSON.stringify({ Other: result, Succeed: true, Result: result }, null, indent);
      const short = createTextProjection(read)?.(text);
      if (short === undefined) return;
      cutAsText += 1;
      assert.deepEqual(JSON.parse(short), JSON.parse(JSON.stringify(createProjection(read)(JSON.parse(text)))));
    }),
    { numRuns: 5000 },
  );
  assert.ok(cutAsText > 500, `${cutAsText} replies were plain`);
});

test('items that are written alike, and those among them that are not, pass as they do parsed first', () => {
  const read = pathsOf('Result.A', 'Result.Name', 'Result.Owner.Name');
  const [short, parsed] = [createTextProjection(read), createProjection(read)];
  const fields = fc.shuffledSubarray(['A', 'B', 'Name', 'N-1', 'Owner', '2'], { minLength: 1 });
  const plain = fc.constantFrom(null, true, 0, -7, 1.5, 1e21, '', 'a}', 'a,"', 'ünï ✓', [1], { Name: 'n', B: 1 });
  const item = fc.tuple(fields, fc.array(plain, { minLength: 6, maxLength: 6 }));
  const alike = Array.from({ length: 3 }, (_, Name) => ({ A: `${Name}`, B: null, Name, 'N-1': true }));
  let cutAsText = 0;
  fc.assert(
    fc.property(fc.array(item, { maxLength: 3 }), list => {
      const others = list.map(([names, values]) =>
        Object.fromEntries(names.map((name, index) => [name, values[index]])),
      );
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
    Result: { Items: [{ A: 1, B: 'x' }, { B: [2.5, null] }], Name: 'n' },
    Other: { A: [{}] },
  });
  const project = createTextProjection(pathsOf('Result.Items.A', 'Result.Name'));
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

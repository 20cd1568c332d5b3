import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JSDOM } from 'jsdom';
import { readContract } from '../../server/layouts/contract/read-contract.ts';
import { createProjection } from '../../server/layouts/project/project.ts';
import { contractOf } from './contracts.ts';

const reading = (reply?: unknown) => createProjection(reply === undefined ? undefined : contractOf(reply));

/** What passes of a Result, and the fields that break the contract. */
function cut(reply: unknown, result: unknown): { readonly kept: unknown; readonly broken: string[] } {
  const broken: string[] = [];
  const { Result } = reading(reply)({ Result: result }, field => broken.push(field));
  return { kept: Result, broken };
}

test('only what is declared passes', () => {
  const reply = {
    Succeed: true,
    Result: { Name: 'A', Price: 7, Owner: { Name: 'B', Phone: '1' } },
    Labels: { a: 1 },
    Resources: { token: 'x' },
  };
  assert.deepEqual(reading({ Name: 'text', Owner: { Name: 'text' } })(reply), {
    Succeed: true,
    Result: { Name: 'A', Owner: { Name: 'B' } },
  });
  assert.deepEqual(reading()(reply), { Succeed: true });
});

test('an object never passes as a value, whatever it holds', () => {
  const result = { Name: { First: 'A', Secret: 'B' }, List: [{ Secret: 1 }] };
  assert.deepEqual(cut({ Name: 'text', List: ['text'] }, result), { kept: { List: [] }, broken: ['Name', 'List'] });
  assert.deepEqual(cut('text', { Secret: 1 }), { kept: undefined, broken: [''] });
});

test('a plain value does not pass where only what is below it is declared', () => {
  assert.deepEqual(cut({ Owner: { Name: 'text' } }, { Owner: 'secret' }), { kept: {}, broken: ['Owner'] });
  assert.deepEqual(cut({ Owner: { Name: 'text' } }, 'secret'), { kept: undefined, broken: [''] });
  assert.deepEqual(cut(['text'], 'secret'), { kept: undefined, broken: [''] });
});

test('lists are cut item by item, lists of lists too', () => {
  const items = [
    { Id: 1, Price: 2, Tags: ['a', 'b'] },
    { Id: 2, Tags: [] },
  ];
  assert.deepEqual(cut({ Items: [{ Id: 'id', Tags: ['text'] }] }, { Items: items }), {
    kept: {
      Items: [
        { Id: 1, Tags: ['a', 'b'] },
        { Id: 2, Tags: [] },
      ],
    },
    broken: [],
  });
  assert.deepEqual(cut([['count']], [[1, 2], [], ['x'], 'secret']), { kept: [[1, 2], [], []], broken: ['', ''] });
});

test('plain values pass as they are: nothing, zero, false and empty text too', () => {
  const result = { A: null, B: 0, C: false, D: '', E: 1.5 };
  const reply = { A: 'text?', B: 'count', C: 'yes-no', D: 'text', E: 'number', F: 'text?' };
  assert.deepEqual(cut(reply, result), { kept: result, broken: [] });
});

test('an amount of money that the cloud sends as a number passes as a decimal string, every digit of it', () => {
  const decimals = fc.tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.integer({ min: 0, max: 99 }));
  fc.assert(
    fc.property(decimals, ([whole, cents]) => {
      const amount = Number(`${whole}.${String(cents).padStart(2, '0')}`);
      const { kept, broken } = cut({ A: 'money' }, { A: amount });
      assert.deepEqual(kept, { A: String(amount) });
      assert.deepEqual(broken, []);
    }),
  );
  const limited = { A: { kind: 'money', min: 0, max: 10 } };
  assert.deepEqual(cut(limited, { A: 10 }), { kept: { A: '10' }, broken: [] });
  for (const amount of [10.01, '10.01', '-0.01'])
    assert.deepEqual(cut(limited, { A: amount }), { kept: {}, broken: ['A'] });
});

test('a value of another kind counts as absent, and is told by its field', () => {
  for (const [kind, right, wrong] of [
    ['text', ['', 'a'], [1, true, null, [], {}]],
    ['id', ['a', 7], [true, null, ['a']]],
    ['code:status', ['Active', 3], [false, null]],
    ['money', ['1.50', '-0.1'], [true, null, { Amount: 1 }, 'free', '1e3', '1,50', 1e21]],
    ['count', [0, -3, 7], ['7', null, true]],
    ['yes-no', [true, false], ['true', 0, null]],
    ['time', ['2026-01-02T03:04:05Z'], [1767322800, null]],
  ] as const) {
    for (const value of right) assert.deepEqual(cut({ A: kind }, { A: value }), { kept: { A: value }, broken: [] });
    for (const value of [...wrong, undefined])
      assert.deepEqual(cut({ A: kind }, { A: value }), { kept: {}, broken: ['A'] }, `${kind} ${String(value)}`);
    for (const value of [null, undefined])
      assert.deepEqual(cut({ A: `${kind}?` }, { A: value }).broken, [], `${kind}? ${String(value)}`);
  }
});

test('values keep to the limits that a contract sets', () => {
  const reply = {
    Share: { kind: 'percent', min: 0, max: 100 },
    Name: { kind: 'text', max: 3 },
    Code: { kind: 'text', pattern: '^[a-z]+$' },
  };
  const right = { Share: 100, Name: 'abc', Code: 'x' };
  assert.deepEqual(cut(reply, right), { kept: right, broken: [] });
  assert.deepEqual(cut(reply, { Share: 101, Name: 'abcd', Code: 'X' }).broken, ['Share', 'Name', 'Code']);
});

test('a dictionary is cut entry by entry', () => {
  assert.deepEqual(cut({ Counts: { map: 'count' } }, { Counts: { All: 3, Odd: 'x', __proto__: 1 } }), {
    kept: { Counts: { All: 3 } },
    broken: ['Counts.*'],
  });
});

test('a reply that is no object gives an empty envelope', () => {
  for (const reply of [null, undefined, 7, 'secret', [], true]) assert.deepEqual(reading('text?')(reply), {});
});

test('of the envelope four fields pass unread, and only in their own shapes', () => {
  const none = reading();
  assert.deepEqual(
    none({ Succeed: false, Error: 'No', Errors: { Name: ['Short', 'Odd'], Code: 'Bad' }, Messages: ['a', 'b'] }),
    {
      Succeed: false,
      Error: 'No',
      Errors: { Name: ['Short', 'Odd'], Code: ['Bad'] },
      Messages: ['a', 'b'],
    },
  );
  assert.deepEqual(none({ Succeed: 'true', Error: { token: 'x' }, Errors: ['a'], Messages: 'a' }), {});
  assert.deepEqual(none({ Succeed: 1, Error: ['a'], Errors: 'a', Messages: { 0: 'a' } }), {});
  assert.deepEqual(none({ Succeed: null, Error: null, Errors: null, Messages: null }), {});
  assert.deepEqual(
    none({
      Errors: { Name: [{ token: 'x' }, 'Odd', 7], Other: [7], Third: { token: 'x' } },
      Messages: ['a', { token: 'x' }, 7],
    }),
    { Errors: { Name: ['Odd'] }, Messages: ['a'] },
  );
});

const sanitised = (html: unknown) =>
  (reading(Array.isArray(html) ? ['html'] : 'html')({ Result: html }) as { Result: unknown }).Result;

test('headings of HTML begin below the title of the page and skip no level', () => {
  const levels = (html: string) => [...String(sanitised(html)).matchAll(/<h(\d)>/g)].map(([, level]) => Number(level));
  const written = (...of: number[]) => of.map(level => `<h${level}>a</h${level}><p>b</p>`).join('');
  assert.deepEqual(levels(written(3, 3)), [2, 2]);
  assert.deepEqual(levels(written(1, 3, 3, 2, 4, 1)), [2, 3, 3, 3, 4, 2]);
  assert.deepEqual(levels(written(1, 2, 3, 4, 5, 6)), [2, 3, 4, 5, 6, 6]);
  assert.equal(sanitised('<h4 class="x">a</h4>'), '<h2>a</h2>');
});

test('HTML is cut to plain formatting with outside links', () => {
  assert.equal(
    sanitised('<p>Hello <b>you</b></p><ul><li>one</li></ul>'),
    '<p>Hello <b>you</b></p><ul><li>one</li></ul>',
  );
  assert.equal(sanitised('a<script>alert(1)</script>b'), 'ab');
  assert.equal(
    String(
      sanitised('<img src=x onerror=alert(1)><svg onload=alert(1)><a xlink:href="javascript:alert(1)">x</a></svg>'),
    ).includes('alert'),
    false,
  );
  assert.equal(sanitised('<p onclick="alert(1)" style="color:red" class="x" id="boot">a</p>'), '<p>a</p>');
  assert.equal(
    sanitised('<a href="https://example.test/" target="_self" onclick="x()">a</a>'),
    '<a href="https://example.test/" rel="noopener noreferrer" target="_blank">a</a>',
  );
  assert.equal(sanitised('<a href="/customers?page=2" target="x">a</a>'), '<a href="/customers?page=2">a</a>');
  for (const href of ['//evil.test', '/\\evil.test', '/\t/evil.test', '/&#9;/evil.test', ' /customers'])
    assert.ok(String(sanitised(`<a href="${href}">a</a>`)).includes('target="_blank"'), href);
  for (const href of [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'http://example.test',
    '//example.test',
    'file:///etc',
  ]) {
    assert.equal(sanitised(`<a href="${href}">a</a>`), '<a rel="noopener noreferrer" target="_blank">a</a>', href);
  }
  assert.equal(String(sanitised('<scr<script>ipt>alert(1)</scr</script>ipt>')).includes('<script'), false);
  assert.equal(
    sanitised(
      '<iframe srcdoc="<script>x</script>"></iframe><object data=x></object><base href=x><meta http-equiv=refresh><form action=x><input name=a></form>',
    ),
    '',
  );
  assert.deepEqual(sanitised(['<b>a</b>', '<script>x</script>', 7, null]), ['<b>a</b>', '']);
});

test('a model passes whole, since what reads it checks it', () => {
  const whole = reading({ Next: { kind: 'model:nodes', requires: 'anyone' } });
  assert.deepEqual(whole({ Result: { Next: { Step: [1, { a: 2 }] }, Token: 'x' } }), {
    Result: { Next: { Step: [1, { a: 2 }] } },
  });
});

test('names that reach into objects are never made, and cannot be declared', () => {
  const reply = JSON.parse(
    '{ "Result": { "__proto__": { "polluted": 1 }, "constructor": { "name": "x" }, "Name": "A" }, "Errors": { "__proto__": ["x"], "A": ["y"] } }',
  );
  for (const name of ['__proto__', 'constructor', 'prototype']) {
    const problems: string[] = [];
    readContract(JSON.parse(`{ "${name}": "text" }`), { problem: message => problems.push(message) });
    assert.deepEqual(problems, [`A field cannot be called "${name}".`]);
  }
  const out = reading({ map: 'text' })(reply);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.equal(JSON.stringify(out), '{"Errors":{"A":["y"]},"Result":{"Name":"A"}}');
});

test('inherited fields do not pass', () => {
  const reply = Object.create({ Result: 'inherited' });
  assert.deepEqual(reading('text?')(reply), {});
  assert.deepEqual(reading({ toString: 'text?', length: 'text?' })({ Result: {} }), { Result: {} });
});

const name = fc.constantFrom('Items', 'Name', 'Price', 'Error', 'Messages', '__proto__', 'constructor', 'toString');
const declared = fc.constantFrom('Items', 'Name', 'Price', 'Error', 'toString');
const { notation } = fc.letrec<{ notation: unknown }>(tie => ({
  notation: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('text', 'text?', 'id', 'money', 'count?', 'yes-no', 'time?'),
    tie('notation').map(item => [item]),
    tie('notation').map(item => ({ map: item })),
    fc.array(fc.tuple(declared, tie('notation')), { minLength: 1, maxLength: 4 }).map(Object.fromEntries),
  ),
}));
const { tree } = fc.letrec(tie => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom<unknown>('secret', 7, true, null, '<b onclick=x>a</b>'),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc
      .array(fc.tuple(name, tie('tree')), { maxLength: 4 })
      .map(entries =>
        JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`),
      ),
  ),
}));

/** Whether a value is what a contract says, judged in the most naive way. */
function keepsTo(value: unknown, reply: unknown): boolean {
  if (typeof reply === 'string') {
    const kind = reply.replace('?', '');
    if (value === null) return reply.endsWith('?');
    const classes = { text: 'string', time: 'string', count: 'number', 'yes-no': 'boolean' } as const;
    if (kind === 'id' || kind === 'money') return ['string', 'number'].includes(typeof value);
    return typeof value === classes[kind as keyof typeof classes];
  }
  if (Array.isArray(reply)) return Array.isArray(value) && value.every(item => keepsTo(item, reply[0]));
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const fields = reply as Record<string, unknown>;
  return Object.entries(value).every(([field, inner]) =>
    Object.hasOwn(fields, 'map')
      ? keepsTo(inner, fields['map'])
      : Object.hasOwn(fields, field) && keepsTo(inner, fields[field]),
  );
}

test('whatever the reply, what passes is what its contract says, and was there', () => {
  const seen = { kept: 0, broken: 0 };
  fc.assert(
    fc.property(notation, tree, (reply, result) => {
      const before = JSON.stringify(result);
      const { kept, broken } = cut(reply, result);
      if (kept !== undefined) {
        assert.ok(keepsTo(kept, reply), JSON.stringify({ reply, kept }));
        assert.deepEqual(cut(reply, kept).kept, kept);
        seen.kept += 1;
      }
      if (broken.length > 0) seen.broken += 1;
      else assert.notEqual(kept, undefined);
      assert.equal(JSON.stringify(result), before);
    }),
    { numRuns: 2000 },
  );
  assert.ok(seen.kept > 200 && seen.broken > 200, JSON.stringify(seen));
});

test('HTML never keeps a script, a handler or an unsafe link, however it is written', () => {
  const piece = fc.constantFrom(
    '<script>',
    '</script>',
    '<a href="',
    'javascript:',
    'java\tscript:',
    '">',
    '</a>',
    '<img src=x onerror=',
    'alert(1)',
    '<svg/onload=',
    '<',
    '>',
    '"',
    "'",
    '&lt;script&gt;',
    '&#x3c;',
    '<!--',
    '-->',
    '<style>',
    '</style>',
    '<math><mtext>',
    'x',
    '\u0000',
    '<b>',
    '</b>',
    ' style=',
  );
  const project = reading('html');
  const { window } = new JSDOM('', { url: 'https://portal.test/' });
  let kept = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      const html = String(project({ Result: pieces.join('') })['Result']);
      const { document } = window;
      document.body.innerHTML = html;
      for (const element of document.body.querySelectorAll('*')) {
        kept += 1;
        assert.match(element.localName, /^(a|b|p|span)$/, html);
        const names = element
          .getAttributeNames()
          .filter(name => !(element.localName === 'a' && ['href', 'rel', 'target'].includes(name)));
        assert.deepEqual(names, [], html);
        if (element.localName === 'a')
          assert.match((element as HTMLAnchorElement).protocol, /^(https|mailto|tel)?:$/, html);
      }
      assert.equal(project({ Result: html })['Result'], html);
    }),
    { numRuns: 1000 },
  );
  assert.ok(kept > 100, `${kept} elements`);
});

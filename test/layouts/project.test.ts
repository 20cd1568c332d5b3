import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JSDOM } from 'jsdom';
import { createProjection } from '../../server/layouts/project/project.ts';

const reading = (...paths: string[]) => createProjection(paths.map(path => ({ path, html: false })));

test('only what is read passes', () => {
  const reply = {
    Succeed: true,
    Result: { Name: 'A', Price: 7, Owner: { Name: 'B', Phone: '1' } },
    Labels: { a: 1 },
    Resources: { token: 'x' },
  };
  assert.deepEqual(reading('Result.Name', 'Result.Owner.Name')(reply), {
    Succeed: true,
    Result: { Name: 'A', Owner: { Name: 'B' } },
  });
  assert.deepEqual(reading()(reply), { Succeed: true });
});

test('an object never passes as a value, whatever it holds', () => {
  const reply = { Result: { Name: { First: 'A', Secret: 'B' }, List: [{ Secret: 1 }] } };
  assert.deepEqual(reading('Result.Name', 'Result.List')(reply), { Result: { Name: {}, List: [{}] } });
  assert.deepEqual(reading('Result')({ Result: { Secret: 1 } }), { Result: {} });
});

test('a plain value does not pass where only what is below it is read', () => {
  assert.deepEqual(reading('Result.Owner.Name')({ Result: { Owner: 'secret' } }), { Result: {} });
  assert.deepEqual(reading('Result.Owner.Name')({ Result: 'secret' }), {});
});

test('lists are cut item by item, lists of lists too', () => {
  const reply = {
    Result: { Items: [{ Id: 1, Price: 2, Tags: ['a', 'b'] }, { Price: 3 }, 'secret', null, [{ Id: 4, Price: 5 }]] },
  };
  assert.deepEqual(reading('Result.Items.Id', 'Result.Items.Tags')(reply), {
    Result: { Items: [{ Id: 1, Tags: ['a', 'b'] }, {}, [{ Id: 4 }]] },
  });
});

test('plain values pass as they are: nothing, zero, false and empty text too', () => {
  const reply = { Result: { A: null, B: 0, C: false, D: '', E: 1.5 } };
  assert.deepEqual(reading('Result.A', 'Result.B', 'Result.C', 'Result.D', 'Result.E', 'Result.F')(reply), reply);
});

test('a reply that is no object gives an empty envelope', () => {
  for (const reply of [null, undefined, 7, 'secret', [], true]) assert.deepEqual(reading('Result')(reply), {});
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

test('reading below an open field widens nothing', () => {
  assert.deepEqual(
    reading('Errors.Name.token', 'Error.token')({ Error: { token: 'x' }, Errors: { Name: [{ token: 'x' }] } }),
    { Errors: {} },
  );
});

test('HTML is cut to plain formatting with outside links', () => {
  const sanitised = (html: unknown) =>
    (createProjection([{ path: 'Result', html: true }])({ Result: html }) as { Result: unknown }).Result;
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
    '<a href="https://example.test/" target="_blank" rel="noopener noreferrer">a</a>',
  );
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
  assert.deepEqual(sanitised(['<b>a</b>', '<script>x</script>', 7, null]), ['<b>a</b>', '', 7, null]);
});

test('a value that some node shows as HTML is sanitised for all of them', () => {
  const both = createProjection([
    { path: 'Result.Text', html: false },
    { path: 'Result.Text', html: true },
    { path: 'Result.Plain', html: false },
  ]);
  assert.deepEqual(both({ Result: { Text: '<script>x</script>', Plain: '<script>x</script>' } }), {
    Result: { Text: '', Plain: '<script>x</script>' },
  });
});

test('a field of a command passes whole, since the portal itself made it', () => {
  const whole = createProjection([{ path: 'Result.Next', html: false, whole: true }]);
  assert.deepEqual(whole({ Result: { Next: { Step: [1, { a: 2 }] }, Token: 'x' } }), {
    Result: { Next: { Step: [1, { a: 2 }] } },
  });
});

test('names that reach into objects are never followed nor made', () => {
  const reply = JSON.parse(
    '{ "Result": { "__proto__": { "polluted": 1 }, "constructor": { "name": "x" }, "Name": "A" }, "Errors": { "__proto__": ["x"], "A": ["y"] } }',
  );
  for (const path of [
    'Result.__proto__',
    'Result.__proto__.polluted',
    'Result.constructor.name',
    'Result.Name.constructor',
    '__proto__.polluted',
  ]) {
    const out = reading(path)(reply);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.deepEqual(JSON.stringify(out), '{"Errors":{"A":["y"]}}', path);
  }
  assert.deepEqual(reading('Result.__proto__')({ Result: 'secret' }), {});
});

test('inherited fields do not pass', () => {
  const reply = Object.create({ Result: 'inherited' });
  assert.deepEqual(reading('Result', 'toString', 'Result.length')(reply), {});
});

const name = fc.constantFrom(
  'Result',
  'Items',
  'Name',
  'Price',
  'Error',
  'Errors',
  'Messages',
  'Succeed',
  '__proto__',
  'constructor',
  'toString',
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(parts => parts.join('.'));
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

function leaves(value: unknown, at: string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap(item => leaves(item, at));
  if (value === null || typeof value !== 'object') return [at.join('.')];
  return Object.entries(value).flatMap(([key, item]) => leaves(item, [...at, key]));
}

test('whatever the reply, every value that passes is one that is read, and was there', () => {
  const open = new Set(['Succeed', 'Error', 'Errors', 'Messages']);
  fc.assert(
    fc.property(fc.array(path, { maxLength: 6 }), tree, (paths, reply) => {
      const before = JSON.stringify(reply);
      const out = reading(...paths)(reply);
      for (const leaf of leaves(out)) {
        if (leaf === '' || open.has(leaf.split('.')[0] as string)) continue;
        assert.ok(paths.includes(leaf), leaf);
        assert.ok(leaves(reply).includes(leaf), leaf);
        assert.doesNotMatch(leaf, /__proto__|constructor/);
      }
      assert.equal(JSON.stringify(reply), before);
      assert.deepEqual(reading(...paths)(out), out);
    }),
    { numRuns: 1000 },
  );
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
  const project = createProjection([{ path: 'Result', html: true }]);
  const { window } = new JSDOM('', { url: 'https://portal.test/' });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      const html = String(project({ Result: pieces.join('') })['Result']);
      const { document } = window;
      document.body.innerHTML = html;
      for (const element of document.body.querySelectorAll('*')) {
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
});

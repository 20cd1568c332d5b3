import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normaliseName, suggestMatches } from '../../server/sandbox/psa/suggest.ts';

test('a name is the same however its company form, case, accents and punctuation are written', () => {
  for (const name of ['Café Zoë', 'CAFE ZOE LTD', 'The Cafe-Zoe Co. Limited', ' café  zoë, plc'])
    assert.equal(normaliseName(name), 'cafe zoe', name);
  assert.equal(normaliseName("O'Rourke & Daughters"), normaliseName('O’Rourke and Daughters Ltd'));
  assert.notEqual(normaliseName('Acme Foods'), normaliseName('Acme Farms'));
  assert.equal(normaliseName('Ltd'), 'ltd');
  assert.equal(normaliseName('مكتب النور'), 'مكتب النور');
});

/** Few words, so that names meet often. */
const name = fc
  .tuple(fc.constantFrom('Acme', 'Bolt', 'Café', 'cafe', 'ACME'), fc.constantFrom('', ' Ltd', ' Limited', ' & Co.'))
  .map(([word, form]) => word + form);
const named = (prefix: string) =>
  fc.array(name, { maxLength: 8 }).map(names => names.map((name, index) => ({ id: `${prefix}${index}`, name })));

test('a suggestion never guesses: it has the same name, and no other of theirs has it', () => {
  let count = 0;
  fc.assert(
    fc.property(named('own'), named('their'), fc.boolean(), (own, theirs, many) => {
      const suggested = suggestMatches(own, theirs, many);
      for (const [id, found] of suggested) {
        const mine = own.find(item => item.id === id);
        assert.ok(mine);
        const equal = theirs.filter(item => normaliseName(item.name) === normaliseName(mine.name));
        assert.deepEqual(equal, [found]);
        count += 1;
      }
    }),
  );
  assert.ok(count > 0, 'nothing was suggested');
});

test('one of theirs is suggested to one of ours alone, unless several may be matched with it', () => {
  fc.assert(
    fc.property(named('own'), named('their'), (own, theirs) => {
      const ids = [...suggestMatches(own, theirs, false).values()].map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      // With many, all of ours that have the name of exactly one of theirs get it.
      const expected = own.filter(
        mine => theirs.filter(item => normaliseName(item.name) === normaliseName(mine.name)).length === 1,
      );
      assert.deepEqual(new Set(suggestMatches(own, theirs, true).keys()), new Set(expected.map(({ id }) => id)));
    }),
  );
});

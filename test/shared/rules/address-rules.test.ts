import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AddressRule, compileRules, type RuleSet } from '../../../shared/rules/address-rules.ts';
import { parseAddress, parsePeer, parseRange, writeAddress, writeRange } from '../../../shared/rules/ip-address.ts';

const now = Date.parse('2026-11-02T09:00:00Z');
const nowhere = () => undefined;

const rule = (Id: number, Value: string, more: Partial<AddressRule> = {}): AddressRule => ({
  ...{ Id, Kind: 'Address', Value, Name: Value, Does: 'Allow', Note: '', Until: null },
  ...more,
});
const setOf = (Rules: readonly AddressRule[], more: Partial<RuleSet> = {}): RuleSet => ({
  ...{ On: true, Elsewhere: 'Refuse', Admins: false, Rules },
  ...more,
});
const judgeBy = (set: RuleSet, address: string, at = now) => {
  const { isAllowed, rule: decided } = compileRules(set, nowhere, at).judge(address);
  return `${isAllowed ? 'in' : 'out'} by ${decided?.Id ?? 'none'}`;
};

test('what people type is read as an address, a network or a range, and written in one form', () => {
  const cases = {
    '203.0.113.7': '203.0.113.7',
    ' 203.0.113.7/24 ': '203.0.113.0/24',
    '203.0.113.0-203.0.113.255': '203.0.113.0/24',
    '203.0.113.5 – 203.0.113.20': '203.0.113.5-203.0.113.20',
    '::ffff:203.0.113.7': '203.0.113.7',
    '::FFFF:cb00:7107': '203.0.113.7',
    '::ffff:203.0.113.0/120': '203.0.113.0/24',
    '2001:DB8:0:0::1': '2001:db8::1',
    '2001:db8::/32': '2001:db8::/32',
    '0.0.0.0/0': '0.0.0.0/0',
    '::/0': '::/0',
  };
  for (const [typed, written] of Object.entries(cases)) {
    const range = parseRange(typed);
    assert.equal(range && writeRange(range), written, typed);
  }
});

test('what is no address is refused: parts above 255, leading zeros, ranges of two versions or the wrong way round', () => {
  const wrong = ['999.1.1.1', '1.2.3', '1.2.3.4.5', '010.1.1.1', '0x7f.1', '1.2.3.4/33', '1.2.3.4/', '1.2.3.4/8/8'];
  const wronger = ['', 'example.com', '1.2.3.9-1.2.3.4', '1.2.3.4-::1', '::1-', '::ffff:1.2.3.4/8', 'fe80::1%eth0'];
  for (const typed of [...wrong, ...wronger, `${'1'.repeat(5000)}`]) assert.equal(parseRange(typed), undefined, typed);
});

test('the address of a connection may have a port or a zone', () => {
  for (const [peer, address] of [
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
  ] as const)
    assert.deepEqual(parsePeer(peer), parseAddress(address));
  assert.equal(parsePeer('unknown'), undefined);
});

test('the first rule that fits decides, also where later ones say the contrary', () => {
  const set = setOf([
    rule(1, '203.0.113.9', { Does: 'Refuse' }),
    rule(2, '203.0.113.0/24'),
    rule(3, '203.0.113.0/28', { Does: 'Refuse' }),
  ]);
  assert.equal(judgeBy(set, '203.0.113.9'), 'out by 1');
  assert.equal(judgeBy(set, '203.0.113.10'), 'in by 2');
  assert.equal(judgeBy(set, '::ffff:203.0.113.10'), 'in by 2');
  assert.equal(judgeBy(set, '203.0.114.1'), 'out by none');
  assert.deepEqual([...compileRules(set, nowhere, now).unreached], [3]);
});

test('rules for IPv6 never fit IPv4, and an address that cannot be read fits nothing and is never let in', () => {
  const set = setOf([rule(1, '::/0')], { Elsewhere: 'Allow' });
  assert.equal(judgeBy(set, '2001:db8::1'), 'in by 1');
  assert.equal(judgeBy(set, '203.0.113.9'), 'in by none');
  assert.equal(judgeBy(set, 'unknown'), 'out by none');
});

test('a rule that ends is as if it were not there from then on, and the tables say when', () => {
  const set = setOf([rule(1, '203.0.113.9', { Until: '2026-11-02T10:00:00Z' }), rule(2, '203.0.113.10')]);
  const ends = Date.parse('2026-11-02T10:00:00Z');
  assert.equal(compileRules(set, nowhere, now).until, ends);
  assert.equal(judgeBy(set, '203.0.113.9'), 'in by 1');
  assert.equal(judgeBy(set, '203.0.113.9', ends), 'out by none');
  assert.equal(compileRules(set, nowhere, ends).until, Number.POSITIVE_INFINITY);
});

test('a country or city fits where the address is, and the earliest of all kinds decides', () => {
  const set = setOf([
    rule(1, '81.2.69.143', { Does: 'Refuse' }),
    rule(2, '2643743', { Kind: 'City' }),
    rule(3, 'GB', { Kind: 'Country', Does: 'Refuse' }),
  ]);
  const placeOf = (address: string) =>
    address.startsWith('81.')
      ? { Country: 'GB', City: '2643743' }
      : address.startsWith('82.')
        ? { Country: 'GB' }
        : undefined;
  const { judge } = compileRules(set, placeOf, now);
  assert.equal(judge('81.2.69.142').rule?.Id, 2);
  assert.equal(judge('81.2.69.143').rule?.Id, 1);
  assert.equal(judge('82.0.0.1').rule?.Id, 3);
  assert.equal(judge('10.0.0.1').rule, undefined);
});

/** The rules from the top, one by one. */
const naive = (rules: readonly AddressRule[], text: string): number | undefined => {
  const address = parseAddress(text);
  return rules.find(({ Value }) => {
    const range = parseRange(Value);
    return address && range?.version === address.version && range.from <= address.value && address.value <= range.to;
  })?.Id;
};

test('the tables judge as the rules do one by one', () => {
  const low = fc.integer({ min: 0, max: 40 });
  const v4 = low.map(value => writeAddress({ version: 4, value: BigInt(value) }));
  const v6 = low.map(value => writeAddress({ version: 6, value: BigInt(value) }));
  const ranges = (address: fc.Arbitrary<string>, widest: number) =>
    fc.oneof(
      address,
      fc.tuple(address, fc.integer({ min: widest - 6, max: widest })).map(([one, bits]) => `${one}/${bits}`),
      fc
        .tuple(address, address)
        .map(([one, other]) => (parseRange(`${one}-${other}`) ? `${one}-${other}` : `${other}-${one}`)),
    );
  const values = fc.array(fc.oneof(ranges(v4, 32), ranges(v6, 128)), { maxLength: 12 });
  fc.assert(
    fc.property(values, fc.array(fc.oneof(v4, v6), { minLength: 1, maxLength: 20 }), (found, addresses) => {
      const rules = found.map((value, index) => rule(index + 1, value));
      const { judge } = compileRules(setOf(rules), nowhere, now);
      for (const address of addresses) assert.equal(judge(address).rule?.Id, naive(rules, address), address);
    }),
    { numRuns: 300 },
  );
});

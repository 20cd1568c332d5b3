import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readPlaces } from '../../server/sandbox/ip-access/places.ts';
import { berlin, landline, linkoping, london, milton, mobile, writePlaces } from '../fixtures/places-file.ts';
import { type Reply, withSandbox, withTokens } from '../fixtures/sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'places-'));
after(() => rmSync(folder, { recursive: true }));
const known = readPlaces({
  places: writePlaces(folder, [london, milton, berlin]),
  mobileNetworks: writePlaces(folder, [mobile, landline], { name: 'mobile.mmdb', type: 'GeoIP2-ISP' }),
});
/** How old the files are, in days. */
let age = 1;
const sandbox = withSandbox({
  places: {
    ...known,
    get made() {
      return new Date(Date.now() - age * 86_400_000);
    },
  },
  tokenSeconds: 86_400,
});
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test']);

const from = (
  address: string,
  who: 'reseller' | 'engineer',
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> => sandbox.call(tokens[who]!, method, path, body, { 'x-forwarded-for': address });
const inLondon = '81.2.69.142';
const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await from(inLondon, 'reseller', method, `/api/IpLockdown/${path}`, body);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.Result;
};
const terms = { Does: 'Allow', Note: '', Hours: '0' };

test('an address is where it is used, not where it is registered, however it is written', () => {
  const { placeOf, nameOf, kinds, made } = readPlaces({ places: writePlaces(folder, [london, milton, berlin]) });
  const inLondon = { Country: 'GB', City: '2643743' };
  assert.deepEqual(placeOf('81.2.69.142'), inLondon);
  assert.deepEqual(placeOf('::ffff:81.2.69.142'), inLondon);
  assert.deepEqual(placeOf('2001:db8:1::7'), { Country: 'DE', City: '2950159' });
  assert.equal(nameOf('81.2.69.142'), 'London, England, United Kingdom');
  assert.equal(nameOf('2001:db8:1::7'), 'Berlin, Germany');
  for (const unknown of ['81.2.69.200', '10.0.0.1', '2001:db8:2::7', 'nowhere', ''])
    assert.deepEqual([placeOf(unknown), nameOf(unknown)], [undefined, ''], unknown);
  assert.deepEqual(kinds, ['Country', 'City']);
  assert.equal(made?.toISOString(), '2026-11-01T00:00:00.000Z');
});

test('places are listed by name, each once; those of IPv6 too', async () => {
  const again = { ...london, network: '81.3.0.0/16' };
  const { search } = readPlaces({ places: writePlaces(folder, [london, milton, again, berlin]) });
  const names = async (kind: 'Country' | 'City') =>
    (await search(kind, '')).map(({ Value, Name }) => `${Value} ${Name}`);
  assert.deepEqual(await names('Country'), ['DE Germany', 'GB United Kingdom', 'US United States']);
  assert.deepEqual(await names('City'), [
    '2950159 Berlin, Germany',
    '2643743 London, England, United Kingdom',
    '5803556 Milton, Washington, United States',
  ]);
});

test('a place is found by words of its name without accents, first where its name begins with them', async () => {
  const { search, find } = readPlaces({ places: writePlaces(folder, [london, milton, linkoping, berlin]) });
  const names = async (words: string) => (await search('City', words)).map(({ Name }) => Name.split(',')[0]);
  assert.deepEqual(await names(' LINKOP '), ['Linköping']);
  assert.deepEqual(await names('l'), ['Linköping', 'London', 'Berlin', 'Milton']);
  assert.deepEqual(await names('atlantis'), []);
  assert.equal((await find('City', '2694762'))?.Name, 'Linköping, Östergötland, Sweden');
  assert.equal(await find('Country', '2694762'), undefined);
});

test('a file of countries knows no cities', async () => {
  const { kinds, search } = readPlaces({ places: writePlaces(folder, [london], { type: 'GeoLite2-Country' }) });
  assert.deepEqual([kinds, await search('City', '')], [['Country'], []]);
});

test('a file that is missing, of another kind or broken is named at the start', () => {
  const broken = join(folder, 'broken.mmdb');
  writeFileSync(broken, 'no database');
  assert.throws(() => readPlaces({ places: broken }), /"[^"]*broken\.mmdb" cannot be read/);
  assert.throws(() => readPlaces({ mobileNetworks: join(folder, 'no.mmdb') }), /"[^"]*no\.mmdb" cannot be read/);
  const other = writePlaces(folder, [london], { type: 'GeoLite2-ASN' });
  assert.throws(() => readPlaces({ mobileNetworks: other }), /has none: it is of the type GeoLite2-ASN/);
  assert.throws(() => readPlaces({ places: other }), /has no countries: it is of the type GeoLite2-ASN/);
});

test('an address at which the file is broken is in no place that is known', () => {
  const file = writePlaces(folder, [london]);
  const bytes = readFileSync(file);
  // The first place stands behind the tree and sixteen empty bytes.
  bytes.fill(0xff, bytes.indexOf(Buffer.alloc(16)) + 16, bytes.indexOf('MaxMind.com') - 3);
  writeFileSync(file, bytes);
  const { placeOf, nameOf } = readPlaces({ places: file });
  assert.deepEqual([placeOf('81.2.69.142'), nameOf('81.2.69.142')], [undefined, '']);
});

test('a country is let in wherever it is registered, and a city that stands above it is refused', async () => {
  const { Items } = await ask('GET', 'SearchCountry?search=kingdom');
  assert.deepEqual(Items, [{ Value: 'GB', Name: 'United Kingdom' }]);
  await ask('POST', 'placeRules/Country/GB', terms);
  await ask('PUT', 'draft', { On: true, Elsewhere: 'Refuse', Admins: false });
  const { Version, Place, Fits, IsIn } = await ask('GET', 'GetIpAccessSettings/draft');
  assert.deepEqual([Place, Fits, IsIn], ['London, England, United Kingdom', 'United Kingdom', true]);
  await ask('POST', `SaveIpLockdownSetting/${Version}`, {});
  const statusFrom = async (address: string) =>
    (await from(address, 'engineer', 'GET', '/api/users/login-user')).status;
  assert.deepEqual([await statusFrom(inLondon), await statusFrom('216.160.83.57')], [200, 403]);

  await ask('POST', 'placeRules/City/2643743', { ...terms, Does: 'Refuse', Note: 'No office any more' });
  await ask('POST', 'rules/2/up', {});
  const draft = await ask('GET', 'GetIpAccessSettings/draft');
  assert.deepEqual([draft.Fits, draft.IsIn, draft.PlaceRules], ['London, England, United Kingdom', false, 2]);
  await ask('PUT', 'rules/2/terms', terms);
  assert.equal((await ask('GET', 'GetIpAccessSettings/draft')).IsIn, true);
  const { Items: rules } = await ask('GET', 'rules');
  assert.deepEqual(
    rules.map(({ Kind, Name, Does }: Record<string, string>) => [Kind, Name, Does]),
    [
      ['City', 'London, England, United Kingdom', 'Allow'],
      ['Country', 'United Kingdom', 'Allow'],
    ],
  );
});

test('a file of places that is more than sixty days old is said to be', async () => {
  for (const [days, isOld] of [
    [59, false],
    [61, true],
  ] as const) {
    age = days;
    assert.equal((await ask('GET', 'GetIpAccessSettings/draft')).ArePlacesOld, isOld, `${days} days`);
  }
});

test('a mobile network is known by its codes, whoever its addresses belong to', async () => {
  const { Items } = await ask('GET', 'SearchMobileNetwork?search=vodaf');
  assert.deepEqual(Items, [{ Value: '234-15', Name: 'Vodafone UK (234-15)' }]);
  assert.deepEqual((await ask('GET', 'SearchMobileNetwork')).Total, 1);
  await ask('POST', 'placeRules/MobileNetwork/234-15', terms);
  const { Version, HasMobileNetworks, LostRules } = await ask('GET', 'GetIpAccessSettings/draft');
  assert.deepEqual([HasMobileNetworks, LostRules], [true, 0]);
  await ask('POST', `SaveIpLockdownSetting/${Version}`, {});
  const statusFrom = async (address: string) =>
    (await from(address, 'engineer', 'GET', '/api/users/login-user')).status;
  assert.deepEqual([await statusFrom('92.40.1.7'), await statusFrom('92.41.1.7')], [200, 403]);
});

test('places that the file lacks, or of a kind that it does not tell, are not found', async () => {
  const { Items, Total } = await ask('GET', 'SearchCity?search=');
  assert.deepEqual([Items.length, Total], [3, 3]);
  for (const path of ['Country/XX', 'City/1', 'Network/GB', 'Country/United Kingdom'])
    assert.equal(
      (await from(inLondon, 'reseller', 'POST', `/api/IpLockdown/placeRules/${encodeURI(path)}`, terms)).status,
      404,
    );
});

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { missingTexts } from '../../scripts/schemas/missing-texts.ts';
import { checkFolder, formatProblem } from '../../server/layouts/index.ts';
import { parseSource } from '../../server/layouts/load/load.ts';
import { compiler } from '../fixtures/compiler.ts';
import { type Json, type SchemaSet, writeSchemas } from '../fixtures/schemas.ts';

const prices = { prices: true };
const set: SchemaSet = {
  screens: [
    {
      id: 'home',
      route: '/',
      children: [
        { type: 'heading', text: 'shop.greeting', values: { name: 'principal.name' } },
        { type: 'heading', text: 'shop.orders', values: { count: 'state.n' } },
        { type: 'heading', text: 'shop.offer' },
      ],
      state: { n: 1 },
    },
  ],
  texts: {
    shop: {
      greeting: 'Hello {{name}}',
      orders_one: '{{count}} order',
      orders_other: '{{count}} orders',
      offer: [{ requires: prices, text: 'It costs 5' }, { text: 'Ask for it' }],
    },
  },
};
const german = {
  greeting: 'Guten Tag, {{name}}',
  orders_one: 'Eine Bestellung',
  orders_other: '{{count}} Bestellungen',
  offer: [{ requires: prices, text: 'Es kostet 5' }, { text: 'Fragen Sie danach' }],
};
const plain = { title: 'Titel', go: 'Los', label: 'Name', none: 'Nichts', a: 'A', b: 'B', c: 'C' };

/** Problems of texts, as their file and message, in a folder with these files besides; `en` has the areas "t" and "shop". */
async function problemsWith(others: Readonly<Record<string, Json>>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-languages-'));
  try {
    await writeSchemas(folder, set);
    for (const [file, texts] of Object.entries(others)) {
      const path = join(folder, 'text', `${file}.json`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, JSON.stringify({ $schema: '../../meta/texts.schema.json', ...texts }, null, 2));
    }
    const problems = (await checkFolder(folder, [], compiler)).filter(({ file }) => file.startsWith('text/'));
    return problems.filter(({ message }) => !message.startsWith('Nothing uses')).map(formatProblem);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const whole = { 'de/t': plain, 'de/shop': german };

test('a language with every text has no problem', async () => {
  assert.deepEqual(await problemsWith(whole), []);
});

test('what a language lacks is one warning, with how much of what, the first names and the files that are not there', async () => {
  const { greeting: _, ...rest } = german;
  const [line = '', ...others] = await problemsWith({ 'de/shop': rest });
  assert.deepEqual(others, []);
  assert.match(
    line,
    /^text\/de\/shop\.json:1:1: warning: "de" lacks \d+ of \d+ texts, which are shown in "en": .*\. It has no file for t\.$/,
  );
});

test('the texts that a language lacks are listed on request', () => {
  const texts = (file: string, json: object) => {
    const source = parseSource(file, JSON.stringify({ $schema: '../../meta/texts.schema.json', ...json }));
    assert.ok('file' in source);
    return source;
  };
  const sources = [
    texts('text/en/shop.json', { title: 'Shop', items_one: '{{count}} item', items_other: '{{count}} items' }),
    texts('text/de/shop.json', { items_one: '{{count}} Ding', items_other: '{{count}} Dinge' }),
  ];
  assert.deepEqual(missingTexts(sources, 'de'), ['shop.title']);
});

test('a language of a region says only what differs', async () => {
  assert.deepEqual(await problemsWith({ ...whole, 'de-AT/shop': { greeting: 'Servus {{name}}' } }), []);
  assert.deepEqual(await problemsWith({ 'en-IE/shop': { greeting: 'Hi {{name}}' } }), []);
});

test('a text that the default language does not have is an error that says what was meant', async () => {
  assert.deepEqual(await problemsWith({ ...whole, 'de/shop': { ...german, greting: 'Hallo' } }), [
    'text/de/shop.json:17:3: error: Text "shop.greting" is not in text/en, so nothing shows it. Did you mean "greeting"?',
  ]);
  assert.deepEqual(await problemsWith({ ...whole, 'de/shopp': { greeting: 'Hallo' } }), [
    'text/de/shopp.json:1:1: error: There is no text/en/shopp.json. Did you mean "shop"?',
  ]);
});

test('a text must interpolate what it does in the default language', async () => {
  assert.deepEqual(await problemsWith({ ...whole, 'de/shop': { ...german, greeting: 'Guten Tag, {{nam}}' } }), [
    'text/de/shop.json:3:3: error: Text "shop.greeting" is handed no value "nam": text/en has {{name}}. Did you mean "name"?',
    'text/de/shop.json:3:3: error: Text "shop.greeting" leaves out {{name}}.',
  ]);
});

test('a text that some may not read keeps its requirements in every language', async () => {
  const message = 'error: The variants of "shop.offer" must have the requirements of those in text/en, in their order.';
  for (const offer of [
    'Es kostet 5',
    [{ text: 'Es kostet 5' }],
    [{ requires: { userTypes: ['reseller'] }, text: 'Es kostet 5' }, { text: 'Fragen Sie' }],
  ])
    assert.deepEqual(
      (await problemsWith({ ...whole, 'de/shop': { ...german, offer } })).map(problem => problem.replace(/^\S+ /, '')),
      [message],
      JSON.stringify(offer),
    );
});

test('a plural lacks the forms that the language has and its text has not', async () => {
  const { orders_one, ...others } = german;
  assert.deepEqual(await problemsWith({ ...whole, 'de/shop': others }), [
    'text/de/shop.json:4:3: warning: The plural "shop.orders" has no form "orders_one".',
  ]);
});

test('texts stand in a folder that is called as a language is', async () => {
  assert.deepEqual(await problemsWith({ 'german/shop': german }), [
    'text/german/shop.json:1:1: error: Text files stand in text/<language>/<area>.json.',
  ]);
});

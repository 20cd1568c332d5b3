import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Boot } from '../../shared/contract/boot.ts';
import { withoutCloudData } from '../fixtures/cloud-data.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { type Answer, type Client, withPortal } from '../fixtures/portal.ts';
import { pseudoLanguage, toPseudo, writePseudoLanguage } from '../fixtures/pseudo-language.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { accounts } from '../fixtures/sign-in.ts';
import { leeds, warehouse } from '../fixtures/voice.ts';

const sandbox = withSandbox();
const schemas = withEditedSchemas();
const cloud = withRecordingProxy(sandbox);
setUp(async () => {
  await writePseudoLanguage(schemas.folder);
  await sandbox.db.updateTable('accounts').set({ locale: pseudoLanguage }).execute();
});
const portal = withPortal(cloud, () => ({ schemasDir: schemas.folder }));

const roles = ['reseller', 'engineer', 'endUserAdmin', 'endUser'] as const;
const accepting = { 'accept-language': pseudoLanguage };

// biome-ignore lint/suspicious/noExplicitAny: layouts and replies are searched as they come
type Json = any;

/** Texts that were seen, each with the first place where it was. */
type Seen = Map<string, string>;

/** Fails for words that come neither from a text nor from the cloud, or when less than `atLeast` texts were seen. */
async function checkWords(seen: Seen, atLeast: number): Promise<void> {
  const pseudo = [...seen.keys()].filter(text => /[\u0080-\u024f]{2}/.test(text));
  assert.ok(pseudo.length >= atLeast, `only ${pseudo.length} texts were seen`);
  const wordsOf = await withoutCloudData(cloud.exchanges, schemas.folder);
  const found = [...seen].map(([text, place]) => ({ words: wordsOf(text), text, place }));
  assert.deepEqual(
    found.filter(({ words }) => words !== ''),
    [],
  );
}

/** All objects in a part of a layout or reply. */
function* objectsIn(part: Json): Generator<Json> {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) yield part;
  for (const inner of Object.values(part)) yield* objectsIn(inner);
}

const drawn = ['text', 'title', 'label', 'note', 'hint', 'toolTip', 'mandatoryMessage', 'invalidMessage', 'submit'];

/** What a reply says to its user: what went wrong, the texts of its effects, and those of the step that it draws. */
function collect(seen: Seen, { body, status }: Answer, place: string): void {
  const told = (text: unknown): void => {
    // Where a title is the path of a value, the value is data.
    if (typeof text === 'string' && !text.startsWith('row.') && !seen.has(text)) seen.set(text, `${status} ${place}`);
  };
  told(body?.Error);
  for (const text of body?.Messages ?? []) told(text);
  for (const text of Object.values(body?.Errors ?? {}).flat()) told(text);
  for (const part of [body?.effects, body?.Result?.children, body?.Result?.nodes])
    for (const object of objectsIn(part)) for (const name of drawn) told(object[name]);
}

/** What was pressed already, with which fields: its words are the same in other layouts and for other callers. */
const pressed = new Set<string>();

/** Presses everything that calls something in a layout, with nothing and with nonsense; gives the client that is left. */
async function pressAll(seen: Seen, open: () => Promise<Client>, first: Client, hash: string): Promise<Client> {
  let client = first;
  const { body: layout } = await client.get(`/ui/layouts/${hash}`);
  const names = [...objectsIn(layout)].map(({ propertyName }) => propertyName).filter(Boolean);
  const nonsense = Object.fromEntries(names.map(name => [name, '\u{1F680}']));
  for (const { id, on } of objectsIn(layout)) {
    if (typeof id !== 'string' || !on) continue;
    for (const effect of objectsIn(on)) {
      const name = effect.operation ?? effect.command;
      if ((effect.do !== 'call' && effect.do !== 'command') || typeof name !== 'string') continue;
      const one = `${name} ${names}`;
      if (pressed.has(one)) continue;
      pressed.add(one);
      const path = name.startsWith('auth.') ? `/auth/${name.slice(5)}` : `/ui/${effect.do}/${name}`;
      const parameters = Object.fromEntries(Object.keys(effect.with ?? {}).map(key => [key, '10001']));
      for (const body of [{}, nonsense]) {
        const request = { node: id, layout: hash, with: parameters, body };
        const answer = await client.post(path, request, accepting);
        // Some end the session.
        if (answer.status === 401 || answer.body?.Resources?.code === 'SESSION_CHANGED') client = await open();
        collect(seen, answer, `${name} of ${layout.id}`);
      }
    }
  }
  return client;
}

test('no word of a message stands in code, whoever presses', async () => {
  const seen: Seen = new Map();
  for (const role of [...roles, undefined]) {
    const open = async () => (role ? portal.signIn(accounts[role]) : portal.client(accepting));
    let client = await open();
    const boot: Boot = (await client.get('/ui/boot', accepting)).body;
    const hashes = [...boot.routes.map(([, , hash]) => hash), ...Object.values(boot.popups)];
    for (const hash of hashes) client = await pressAll(seen, open, client, hash);
  }
  await checkWords(seen, 40);
});

/** Steps of a wizard: its node and command, its parameters, and what is typed at each step after the first. */
const wizards = [
  [
    'add-service',
    'order',
    'order-add.step',
    { customer: '10003', route: 'share-point' },
    [['details', { Quantity: 3, TermId: 'monthly', BillingId: 'monthly', Domain: 'contoso.test' }]],
  ],
  [
    'bulk-order',
    'bulk',
    'order.bulk-step',
    { serviceId: 9, subId: 1 },
    [
      ['customers', { Customers: '10001\n10002' }],
      [
        'details',
        {
          ...{ Customers: '10001\n10002', TermId: 'monthly', BillingId: 'monthly' },
          Values: JSON.stringify(['10001', '10002'].map(id => [id, { Quantity: 2, IfHeld: 'Second' }])),
        },
      ],
    ],
  ],
  [
    'voice-order',
    'voice',
    'voice.step',
    { customer: '10003' },
    [
      ['product', { SelectedProduct: 'hosted-voice', WithHardware: true }],
      [
        'sites',
        { Sites1: true, ...Object.fromEntries(Object.entries(leeds).map(([name, value]) => [`Sites1${name}`, value])) },
      ],
      ['licences', { MitelLicences: 4, NonMitelLicences: 1, BandwidthConfirmed: true }],
      ['hardware', { Quantity_mitel_6905: 2 }],
      ['delivery', { DeliveryOption: 'next-day', ...warehouse }],
    ],
  ],
] as const;

test('no word of the steps of an order stands in code', async () => {
  const seen: Seen = new Map();
  const client = await portal.signIn(accounts.reseller);
  for (const [layout, node, command, parameters, steps] of wizards) {
    const press = (body: Json) => client.press(layout, node, `command:${command}`, { with: parameters, body });
    let answer = await press({});
    collect(seen, answer, command);
    for (const [$step, typed] of steps) {
      const $version = answer.body.Result?.draft?.version;
      answer = await press({ ...typed, $step, ...($version && { $version }) });
      assert.equal(answer.status, 200, `${command} at ${$step}: ${answer.text}`);
      collect(seen, answer, `${command} after ${$step}`);
    }
  }
  await checkWords(seen, 15);
});

test('no word of a refusal stands in code, whatever is asked for and whoever asks', async () => {
  const seen: Seen = new Map();
  for (const client of [await portal.signIn(accounts.endUser), portal.client()]) {
    const asked = [
      client.get('/ui/nothing', accepting),
      client.get('/ui/layouts/none', accepting),
      client.get('/ui/screen?path=//elsewhere', accepting),
      client.get('/ui/screen', accepting),
      client.get('/ui/data/customers.list?page=x', accepting),
      client.get('/ui/data/nothing', accepting),
      client.get('/ui/files/none/none.csv', accepting),
      client.file('/ui/downloads/none', accepting),
      client.get('/assets/none.js', accepting),
      client.get('/ui/%ZZ', accepting),
      client.post('/ui/call/customers.create', {}, accepting),
      client.post('/ui/call/customers.create', { layout: 'x', node: 'y', with: {} }, accepting),
      client.post('/auth/sign-in', { text: 'x'.repeat(3_000_000) }, accepting),
      client.post('/ui/command/nothing', {}, { ...accepting, 'content-type': 'text/xml' }),
      client.post('/ui/command/nothing', {}, { ...accepting, 'x-portal': '' }),
      client.post('/ui/command/nothing', {}, { ...accepting, origin: 'https://elsewhere.test' }),
    ];
    for (const [index, answer] of (await Promise.all(asked)).entries()) {
      assert.ok(answer.status >= 400, `${index}: ${answer.status}`);
      collect(seen, answer, `refusal ${index}`);
    }
  }
  await checkWords(seen, 5);
});

test('what the cloud refuses by a code is told in words of the portal alone', async () => {
  const client = await portal.signIn(accounts.reseller);
  const InvoiceId = (await client.get('/ui/data/billing.latest')).body.Result.Id;
  const PaymentDate = new Date().toISOString().slice(0, 10);
  const layout = await client.hashOf('confirm-payment');
  const pay = (body: object) => {
    const given = { Amount: '999999.00', PaymentMethodId: 'credit', PaymentDate, InvoiceId, Currency: 'GBP', ...body };
    return client.post('/ui/call/payments.payInvoice', { node: 'confirm-payment', layout, body: given }, accepting);
  };
  for (const body of [{}, { Currency: 'EUR' }, { PaymentDate: '2020-01-01' }]) {
    const answer = await pay(body);
    const [first, ...others] = new Set<unknown>([
      ...answer.body.Messages,
      ...Object.values(answer.body.Errors ?? {}).flat(),
    ]);
    assert.deepEqual([typeof first, others], ['string', []], answer.text);
    assert.match(first as string, /[\u0080-\u024f]{2}/);
    assert.doesNotMatch((first as string).replace('GBP', ''), /[A-Za-z]{2}/);
    assert.match(cloud.exchanges.at(-1)?.reply ?? '', /"Refusals":/);
  }
});

test('no word of a page’s own text stands in code, without JavaScript and when it fails', async () => {
  const seen: Seen = new Map();
  const client = await portal.signIn(accounts.reseller);
  const stranger = portal.client();
  const html = { ...accepting, accept: 'text/html' };
  for (const path of ['/customers', '/nothing', '/%ZZ', '/login', '/customers/customer/10001'])
    for (const one of [client, stranger]) {
      const { text, status } = await one.get(path, html);
      const shown = text.replace(/<!doctype[^>]*>|<script.*?<\/script>/gs, '').split(/<[^>]*>/);
      for (const piece of shown) if (piece.trim() !== '') seen.set(piece, `${status} ${path}`);
    }
  await checkWords(seen, 3);
});

test('no heading or cell of a CSV file stands in code', async () => {
  const seen: Seen = new Map();
  let files = 0;
  const read = new Set<string>();
  for (const role of roles) {
    const client = await portal.signIn(accounts[role]);
    const boot: Boot = (await client.get('/ui/boot')).body;
    for (const [pattern, , hash] of boot.routes) {
      const { body: layout } = await client.get(`/ui/layouts/${hash}`);
      const address = pattern.replace('/psa/{service}', '/psa/connectwise').replace(/\{\w+\}/g, '10001');
      for (const node of objectsIn(layout)) {
        if (node.type !== 'table' || !node.export || read.has(`${node.id} ${JSON.stringify(node.columns)}`)) continue;
        const path = encodeURIComponent(address);
        const { status, text } = await client.get(`/ui/files/${hash}/${node.id}.csv?path=${path}`);
        // A list may need more than the address of its screen.
        if (status !== 200) continue;
        files += 1;
        read.add(`${node.id} ${JSON.stringify(node.columns)}`);
        // The zone of times is a name of its own, in every language.
        for (const cell of parse(text.replaceAll(' (Europe/London)', ''), { bom: true }).flat())
          if (cell !== '') seen.set(cell, `${role}: ${node.id} of ${pattern}`);
      }
    }
  }
  assert.ok(files >= 5, `only ${files} files`);
  assert.ok([...seen.keys()].includes(toPseudo('Users')));
  await checkWords(seen, 20);
});

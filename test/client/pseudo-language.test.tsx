import '../dom.ts';
import '../../client/nodes/index.ts';
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from '../../client/app.tsx';
import { Drawer } from '../../client/shell/drawer.tsx';
import { lazyLoadDrawer } from '../../client/shell/header.tsx';
import { openPalette } from '../../client/shell/palette.tsx';
import { signedInParts } from '../../client/shell/signed-in-parts.ts';
import type { Boot } from '../../shared/contract/boot.ts';
import { setAddress } from '../dom.ts';
import { withoutCloudData } from '../fixtures/cloud-data.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { pseudoLanguage, writePseudoLanguage } from '../fixtures/pseudo-language.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { accounts } from '../fixtures/sign-in.ts';

lazyLoadDrawer(async () => ({ Drawer }));
// Replies of a real server come when they come, not inside of act.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });

const sandbox = withSandbox();
const schemas = withEditedSchemas();
const cloud = withRecordingProxy(sandbox);
setUp(async () => {
  await writePseudoLanguage(schemas.folder);
  await sandbox.db.updateTable('accounts').set({ locale: pseudoLanguage }).execute();
});
const portal = withPortal(cloud, () => ({ schemasDir: schemas.folder }));

/** Texts that were seen, each with the first place where it was. */
type Seen = Map<string, string>;

/** `around`: the element that says it; written out only for what is new, since that takes the most time. */
function note(seen: Seen, text: string | null | undefined, place: string, around?: Element | null): void {
  const said = text?.replace(/\s+/g, ' ').trim();
  if (said && !seen.has(said)) seen.set(said, around ? `${place}: ${around.outerHTML.slice(0, 120)}` : place);
}

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

const spoken = [
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'title',
  'placeholder',
  'alt',
];

/**
 * Everything that the page says, to the eye or to a screen reader, but for initials of names, and the fields that a role
 * opens, which are named as the documents name them.
 */
function collect(seen: Seen, place: string): void {
  note(seen, document.title, `${place}: title`);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node instanceof Element ? node : node.parentElement;
    if (element?.closest('.avatar, script, style, [data-testid=effects-fields] li')) continue;
    if (node instanceof Element) for (const name of spoken) note(seen, node.getAttribute(name), `${place}: ${name}`);
    else note(seen, node.textContent, place, element);
  }
}

let changes = 0;
const watcher = new MutationObserver(() => {
  changes += 1;
});
watcher.observe(document, { attributes: true, childList: true, characterData: true, subtree: true });

/** Waits until nothing is busy and the page has stopped changing, for some seconds at most. */
async function settle(): Promise<void> {
  let last = -1;
  for (let count = 0; count < 200; count++) {
    await sleep(10);
    if (changes === last && !document.querySelector('[aria-busy=true]')) return;
    last = changes;
  }
}

let caller: Client | undefined;
/** While true, what the page sends is refused without a word: what is pressed changes nothing. */
let isRefused = false;
const request = globalThis.fetch;
// What the page asks is asked as this client.
globalThis.fetch = (input, init = {}) => {
  if (!caller || typeof input !== 'string' || !input.startsWith('/')) return request(input, init);
  if (isRefused && init.method === 'POST') return Promise.resolve(Response.json({ Succeed: false }, { status: 400 }));
  const headers = { ...(init.headers as Record<string, string>), 'accept-language': pseudoLanguage };
  return request(input, { ...init, headers: { ...headers, cookie: caller.cookie } });
};

// Other files draw in the same process.
after(() => {
  watcher.disconnect();
  globalThis.fetch = request;
});

async function pressAll(seen: Seen, selector: string, place: string, most = 12): Promise<void> {
  isRefused = true;
  for (let index = 0; index < most; index++) {
    const target = document.querySelectorAll<HTMLElement>(selector)[index];
    if (!target) break;
    target.click();
    await settle();
    collect(seen, `${place}, ${target.dataset.testid ?? selector} pressed`);
  }
  isRefused = false;
}

/** Values of parameters, in routes and of popups. */
const known: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['customer', 'customerId', 'orgId', 'organisation', 'organisationId'].map(name => [name, '10001']),
  ),
  user: '20003',
  userId: '20003',
  agreementId: '2',
  fromReseller: 'false',
  mustSign: 'false',
  policyId: 'company',
  route: 'share-point',
  listing: 'business-analytics',
  name: 'share-point',
  level: '1',
  serviceId: '8',
  subId: '1',
};

async function readValues(client: Client): Promise<Readonly<Record<string, string>>> {
  const path = encodeURIComponent('/customers/customer/10001?tab=services');
  const { body } = await client.get(`/ui/screen?path=${path}`);
  const [held] = body.data?.services?.Result.Items ?? [];
  return held ? { ...known, instance: held.Id, instanceId: held.Id } : known;
}

const addressOf = (pattern: string, values: Readonly<Record<string, string>>): string =>
  pattern.replace('/psa/{service}', '/psa/connectwise').replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '1') +
  (pattern === '/customers/user-details' ? '?organisation=10001&user=20003' : '');

/** Screens and popups that somebody before has opened: their words are the same for whoever sees less of them. */
const drawn = new Set<string>();

/** True for a screen or popup once. */
function isNew(name: string): boolean {
  const { size } = drawn;
  return drawn.add(name).size > size;
}

/** Opens each screen and popup of a caller that nobody before has, with what its tabs, menus and forms say. */
async function walk(seen: Seen, client: Client, name: string): Promise<void> {
  const boot: Boot = (await client.get('/ui/boot')).body;
  assert.equal(boot.principal.locale, pseudoLanguage);
  const values = await readValues(client);
  sessionStorage.clear();
  document.body.innerHTML = '<div id="root"></div>';
  setAddress(portal.url + boot.landing);
  const page = await client.page(boot.landing);
  caller = client;
  const opened = start(
    page,
    {
      ...(boot.navigation && { parts: signedInParts }),
      loadLatePage: () => import('../../client/runtime/page/late-page.ts'),
    },
    { assign() {}, reload() {} },
  );
  const { host } = opened.portal;
  await settle();
  await pressAll(seen, '[aria-haspopup]', `${name}, header`);
  if (boot.principal.type !== 'public') {
    openPalette(opened.portal);
    await settle();
    collect(seen, `${name}, palette`);
    // Open, it would be open for the next caller too.
    document.querySelector<HTMLElement>('dialog [data-testid="palette-close"]')?.click();
    await settle();
    assert.ok(!document.querySelector('[data-testid="palette"]'), 'the palette is closed');
  }
  for (const [pattern] of boot.routes) {
    if (!isNew(pattern)) continue;
    const place = `${name}, ${pattern}`;
    await host.navigate(addressOf(pattern, values));
    await settle();
    collect(seen, place);
    await pressAll(seen, 'main [role=tab]', place);
    // Rows of a list have the same menu.
    await pressAll(seen, 'main [aria-haspopup]', place, 3);
    await pressAll(seen, 'main [type=submit]', place);
  }
  for (const id of Object.keys(boot.popups)) {
    if (!isNew(`popup ${id}`)) continue;
    const place = `${name}, popup ${id}`;
    await host.openPopup(id, values);
    await settle();
    collect(seen, place);
    await pressAll(seen, 'dialog [type=submit]', place);
    host.closePopup();
  }
  opened.close();
  caller = undefined;
}

// The reseller sees most, so that nearly all is drawn once, with everything in it.
for (const [role, atLeast] of [
  ['reseller', 1000],
  ['engineer', 20],
  ['endUserAdmin', 20],
  ['endUser', 20],
] as const)
  test(`no word of a page stands in code: ${role}`, async () => {
    const seen: Seen = new Map();
    await walk(seen, await portal.signIn(accounts[role]), role);
    await checkWords(seen, atLeast);
  });

test('no word of a page stands in code: before the sign-in', async () => {
  const seen: Seen = new Map();
  await walk(seen, portal.client({ 'accept-language': pseudoLanguage }), 'nobody');
  await checkWords(seen, 50);
});

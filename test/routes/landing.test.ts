import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Principal, publicPrincipal } from '../../server/access/principal.ts';
import { landingOf } from '../../server/operations/landing.ts';
import type { Boot } from '../../shared/contract/boot.ts';
import { readOwnLayouts, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { someone } from '../fixtures/schemas.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
let manager: string;
setUp(async () => {
  manager = await sandbox.signIn('reseller@northwind.test');
});

const engineer = 'noaccess@northwind.test';

/** Where somebody lands who has these rights alone, and what their main menu offers. */
async function landingWith(name: string, views: readonly string[], permissions: readonly string[] = []) {
  const saved = await sandbox.call(manager, 'PUT', `/api/permissions/${name}`, { views, permissions });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  const browser = await portal.signIn(name);
  const { landing, navigation } = (await browser.get('/ui/boot')).body as Boot;
  return { browser, landing, menus: (navigation?.main ?? []).map(({ id }) => id) };
}

/** Views and permissions of somebody who has one right alone, of each right that documents ask for. */
function rightsAlone(): (readonly [views: readonly string[], permissions: readonly string[]])[] {
  const rights = JSON.parse(readFileSync(new URL('../../schemas/access.json', import.meta.url), 'utf8'));
  const used = (kind: 'views' | 'permissions'): string[] =>
    rights[kind].filter((name: string) => !Object.hasOwn(rights.unused, name));
  return [
    ...used('views').map(name => [[name], []] as const),
    ...used('permissions').map(name => [[], [name]] as const),
  ];
}

const setFlag = (name: string, enabled: boolean) =>
  sandbox.db.updateTable('feature_flags').set({ enabled }).where('name', '=', name).execute();

const setHidePricing = (hide_pricing: boolean) =>
  sandbox.db.updateTable('accounts').set({ hide_pricing }).where('username', '=', engineer).execute();

test('who has the business system alone lands there, and the first address leads there', async () => {
  const { browser, landing } = await landingWith(engineer, ['pSA']);
  assert.equal(landing, '/billing/psa/overview');
  assert.equal((await browser.get('/', { accept: 'text/html' })).headers.get('location'), '/billing/psa/overview');
  const page = await browser.page('/billing/psa/overview');
  assert.ok('hash' in page.screen);

  await setFlag('PSAScreenOverview', false);
  assert.equal((await landingWith(engineer, ['pSA'])).landing, '/billing/psa/match');
  await setFlag('PSAScreenOverview', true);
});

test('billing opens for its view without prices, or for that of business systems, and sends nothing of prices', async () => {
  await setHidePricing(true);
  const money = /"(?:Net|Tax|Gross|Left|Prepaid|Balance|Credit)":|"\d+\.\d{2}"/;
  const { browser, landing } = await landingWith(engineer, ['billing']);
  assert.equal(landing, '/billing');
  const page = await browser.page('/billing');
  assert.ok('hash' in page.screen);
  const invoices = (await browser.get('/ui/data/billing.invoices')).body.Result.Items;
  assert.ok(invoices.length > 3);
  assert.deepEqual(Object.keys(invoices[0]).sort(), ['Due', 'Id', 'Issued', 'Period', 'Status']);
  const bytes = await browser.get('/billing', { accept: 'text/html' });
  assert.ok(bytes.text.includes(invoices[0].Id));
  assert.doesNotMatch(bytes.text, money);
  for (const hidden of [true, false]) {
    await setHidePricing(hidden);
    const matcher = (await landingWith(engineer, ['pSA'])).browser;
    const screen = (await matcher.get('/ui/screen?path=/billing')).text;
    assert.match(screen, /billing-psa/);
    assert.doesNotMatch(screen, money);
  }
});

test('the business system comes after the marketplace and before support', async () => {
  const all = ['support', 'pSA', 'marketplaceOrder'];
  assert.equal((await landingWith(engineer, all)).landing, '/marketplace');
  assert.equal((await landingWith(engineer, all.slice(0, 2))).landing, '/billing/psa/overview');
  assert.equal((await landingWith(engineer, all.slice(0, 1))).landing, '/support');
});

test('the account menu has the entries of the specification in its order, each for whoever has its view', async () => {
  const version = (await readOwnLayouts()).current();
  const specified = ['my-profile', 'my-business', 'manage-users', 'manage-customer-admins', 'account-settings'];
  const idsFor = (type: 'reseller' | 'engineer' | 'endUserAdmin' | 'endUser', rights: Partial<Principal> = {}) => {
    const layout = version.access(someone({ type, ...rights })).navigation?.layout as
      | { readonly account?: { readonly items: readonly { readonly id: string }[] } }
      | undefined;
    const ids = (layout?.account?.items ?? []).map(({ id }) => id);
    return ids.filter(id => [...specified, 'switch-user', 'sign-out'].includes(id));
  };
  const views = ['myBusiness', 'manageUsers', 'settings', 'switchUser'];
  const all = { views, permissions: ['createCustomerAdmin'] };
  for (const type of ['reseller', 'engineer'] as const)
    assert.deepEqual(idsFor(type, all), [...specified, 'switch-user', 'sign-out']);
  const company = ['my-business', 'account-settings', 'switch-user'];
  assert.deepEqual(idsFor('endUserAdmin', all), ['my-profile', ...company, 'sign-out']);
  assert.deepEqual(idsFor('endUser', all), ['my-profile', 'switch-user', 'sign-out']);
  assert.deepEqual(idsFor('reseller'), ['my-profile', 'sign-out']);
  const engineers = idsFor('reseller', { views, permissions: ['createResellerEngineer'] });
  assert.ok(engineers.includes('manage-users') && !engineers.includes('manage-customer-admins'));
});

test('the cloud gives whoever has one right alone what the screens of that right read', async () => {
  const refused: string[] = [];
  let opened = 0;
  for (const [views, permissions] of rightsAlone()) {
    let { browser } = await landingWith(engineer, views, permissions);
    const { routes } = (await browser.get('/ui/boot')).body as Boot;
    for (const [route] of routes.filter(([pattern]) => !pattern.includes(':'))) {
      const { status } = await browser.get(`/ui/screen?path=${encodeURIComponent(route)}`);
      opened += 1;
      if (status === 200) continue;
      refused.push(`${[...views, ...permissions]} at ${route}: ${status}`);
      // A refusal of the cloud ends the session.
      browser = await portal.signIn(engineer);
    }
  }
  assert.ok(opened > 100, `only ${opened} screens`);
  assert.deepEqual(refused, []);
});

test('nobody with one right alone whose main menu offers something lands where there is nothing to show', async () => {
  const alone = rightsAlone();
  assert.ok(alone.length > 10);
  const flags = await sandbox.db.selectFrom('feature_flags').select('name').where('enabled', '=', true).execute();
  const features = flags.map(({ name }) => name);
  const version = (await readOwnLayouts()).current();
  const lost: string[] = [];
  let menusSeen = 0;
  for (const type of ['engineer', 'endUserAdmin'] as const) {
    for (const [views, permissions] of alone) {
      // An administrator who may switch is asked where to go instead.
      if (type === 'endUserAdmin' && views[0] === 'switchUser') continue;
      const principal = someone({
        type,
        views,
        permissions,
        features,
        facts: { ...publicPrincipal.facts, organisationId: '10027' },
      });
      const access = version.access(principal);
      const { main = [] } = (access.navigation?.layout ?? {}) as {
        readonly main?: readonly { readonly id: string; readonly items?: readonly { readonly to?: string }[] }[];
      };
      // Other sites, which some menus lead to, are no place to land.
      const menus = main.flatMap(({ id, items }) => (!items || items.some(({ to }) => to) ? [id] : []));
      menusSeen += menus.length;
      if (landingOf(access, principal) === '/no-access-resources' && menus.length > 0)
        lost.push(`${type} with ${[...views, ...permissions]}: ${menus}`);
    }
  }
  assert.ok(menusSeen > 20, `only ${menusSeen} menus`);
  assert.deepEqual(lost, []);
});

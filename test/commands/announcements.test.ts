import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');
const bookkeeper = withClient(portal, 'bookkeeper@northwind.test');

const shown = async (who: typeof reseller): Promise<string | undefined> => {
  const { notices } = await who.page('/knowledge-base');
  return (notices.announcement as { readonly Result: { readonly Title?: string } }).Result.Title;
};
const announce = (title: string, more: { readonly route?: string; readonly views?: string[] } = {}) => ({
  published: new Date('2026-02-01T09:00:00Z'),
  title,
  content: 'Read it.',
  button_text: 'Show me',
  button_route: more.route ?? '/knowledge-base',
  user_types: ['reseller' as const],
  views: more.views ?? [],
});

test('an announcement is found behind any number of newer ones that lead the caller nowhere', async () => {
  assert.equal(await shown(reseller), 'Device Protection is here');
  const unreachable = Array.from({ length: 7 }, (_, n) => announce(`Nowhere ${n}`, { route: `/nowhere/${n}` }));
  await sandbox.db.insertInto('product_announcements').values(unreachable).execute();
  assert.equal(await shown(reseller), 'Device Protection is here');
});

test('an announcement that needs a right is for those alone who hold it', async () => {
  const rows = [
    announce('For who sells', { views: ['marketplaceOrder'] }),
    announce('For nobody', { views: ['none'] }),
  ];
  await sandbox.db.insertInto('product_announcements').values(rows).execute();
  assert.equal(await shown(reseller), 'For who sells');
  assert.equal(await shown(bookkeeper), undefined);
});

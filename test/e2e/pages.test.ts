import { test } from 'node:test';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { inspectPages } from '../fixtures/inspect.ts';
import { inspectedPages } from '../fixtures/inspected-pages.ts';

const portal = withBrowserPortal();

for (const [username, places] of Object.entries(inspectedPages.sales!)) {
  test(`the pages of sales of ${username} are accessible and fit, light and dark, wide and on a phone`, t =>
    inspectPages(t, portal, username, places));
}

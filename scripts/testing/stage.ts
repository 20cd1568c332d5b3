import { serveBrowser } from '../../test/fixtures/browser.ts';
import { startBuiltPortal, unhurried } from '../../test/fixtures/built-portal.ts';

/** What the browser's test files share while it is open: the built portal and one Chromium. */
export type Stage = { readonly close: () => Promise<void> };

/**
 * Starts the built portal, on PostgreSQL where TEST_DATABASE_URL names one, and Chromium, and tells test processes of
 * them through the environment: PORTAL_URL, PORTAL_SCHEMAS (its documents) and BROWSER_WS.
 */
export async function openStage(): Promise<Stage> {
  const portal = await startBuiltPortal(unhurried, { lasting: true });
  const browser = await serveBrowser();
  Object.assign(process.env, {
    PORTAL_URL: portal.url,
    PORTAL_SCHEMAS: portal.schemas,
    BROWSER_WS: browser.wsEndpoint(),
  });
  return {
    close: async () => {
      for (const name of ['PORTAL_URL', 'PORTAL_SCHEMAS', 'BROWSER_WS']) delete process.env[name];
      await browser.close();
      await portal.stop();
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { ensureChromium } from '../chromium.ts';
import { moment, type Stage } from './stage.ts';

const widths = [1440, 390];
const longestWait = 20_000;

/** The accessibility tree of the page once nothing is busy and it has stopped changing. */
async function treeOf(page: Page): Promise<string> {
  const end = Date.now() + longestWait;
  let last = '';
  for (;;) {
    const isBusy = (await page.locator('[aria-busy=true]').count()) > 0;
    const tree = await page.locator('body').ariaSnapshot();
    if ((!isBusy && tree === last) || Date.now() > end) return tree;
    last = tree;
    await sleep(250);
  }
}

/** Records the accessibility tree of the page at each address, at desktop and phone width, as one text. */
export async function recordPages(stage: Stage, account: string, addresses: readonly string[]): Promise<string> {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/London', reducedMotion: 'reduce' });
    const visitor = await stage.signIn(account);
    await context.addCookies(
      [...visitor.cookies].map(([name, value]) => ({ name, value, domain: '127.0.0.1', path: '/', secure: true })),
    );
    const page = await context.newPage();
    await page.clock.setFixedTime(moment);
    let trees = '';
    for (const address of addresses)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        if (width === widths[0]) await page.goto(stage.url + address, { waitUntil: 'networkidle' });
        const tree = await treeOf(page);
        trees += `# ${address} at ${width}: ${await page.title()}\n${tree}\n\n`;
      }
    return trees;
  } finally {
    await browser.close();
  }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { startBuiltPortal } from '../../test/fixtures/built-portal.ts';
import { accounts, signInAs } from '../../test/fixtures/sign-in.ts';
import { ensureChromium } from '../chromium.ts';
import { benchTexts, editedText, writeDocuments } from './generated-documents.ts';
import { type Measure, median } from './report.ts';

/** Measures the time from saving a text document to an open page showing it, with 1,000 documents loaded. */
export async function benchSave(root: string): Promise<Measure[]> {
  const schemas = await mkdtemp(join(tmpdir(), 'portal-bench-save-'));
  await writeDocuments(join(root, 'schemas'), schemas, 1000);
  const portal = await startBuiltPortal({ SCHEMAS_DIR: schemas }, { lasting: true });
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await signInAs(page, portal.url, accounts.reseller);
    await page.goto(`${portal.url}${editedText.route}`);
    await page.getByText('first', { exact: true }).waitFor();
    // The socket, which tells of the edit, opens after the first paint.
    await page.waitForTimeout(1000);
    const times: number[] = [];
    for (let run = 0; run < 9; run++) times.push(await timeEdit(page, join(schemas, editedText.file), `edit ${run}`));
    return [{ what: 'save of a schema until it is on the screen', measured: median(times), limit: 300, unit: 'ms' }];
  } finally {
    await browser.close();
    await portal.stop();
    await rm(schemas, { recursive: true, force: true });
  }
}

async function timeEdit(page: Page, file: string, note: string): Promise<number> {
  const shown = page.evaluate(waitForText, note);
  const from = Date.now();
  await writeFile(file, JSON.stringify(benchTexts(note), null, 2));
  return (await shown) - from;
}

/** Runs in the page; gives the time at which the text is there and drawn. */
function waitForText(text: string): Promise<number> {
  return new Promise(resolve => {
    const seen = new MutationObserver(() => {
      if (!document.body.textContent?.includes(text)) return;
      seen.disconnect();
      requestAnimationFrame(() => resolve(Date.now()));
    });
    seen.observe(document.body, { childList: true, characterData: true, subtree: true });
  });
}

/**
 * The first script of every page, at the same address in every build, so that it is there while two of them run side by
 * side. It brings the page's own code (`data-main`), and where that is of another build than the one that was asked, it
 * loads the page again, once. On a page that only says that the portal is not available it waits until it is.
 */

/** The address of the font; the build puts it in. */
declare const __FONT__: string;

const script = document.currentScript as HTMLScriptElement;
const { main, trying } = script.dataset;
const mark = 'portal-reloaded';

/** What browsers say of a module that could not be fetched; anything else is a fault of the code. */
const isMissing = (error: unknown): boolean => error instanceof TypeError && /module/i.test(error.message);

/** Uses what this tab remembers while it is open; undefined where the browser closes its storage to the page. */
function inTab<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

/** False where nothing can be remembered: then the page is not loaded again by itself, so as never to go round. */
const rememberReload = () =>
  inTab(storage => {
    if (storage.getItem(mark) !== null) return false;
    storage.setItem(mark, '1');
    return storage.getItem(mark) !== null;
  });

/** Says what happens in the place of the page. */
function say(text: string, link: string | undefined): void {
  const page = document.createElement('main');
  const place = document.createElement('div');
  const words = document.createElement('p');
  page.className = 'outcome-page';
  place.className = 'gate__card outcome';
  words.setAttribute('role', 'alert');
  place.append(words);
  page.append(place);
  document.body.replaceChildren(page);
  words.textContent = text;
  if (link === undefined) return;
  const again = document.createElement('a');
  again.href = '';
  again.textContent = link;
  place.append(again);
}

const readBoot = () => (JSON.parse(document.getElementById('boot')?.textContent ?? '') as Page).boot;

/** Remembers that Ctrl+K or Command+K was pressed before the page's own code listens (`client/runtime/page/shortcut.ts`). */
function keepEarlyKey(event: KeyboardEvent): void {
  if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || readBoot().principal.type === 'public') return;
  event.preventDefault();
  document.documentElement.dataset.early = 'palette';
}

function loadAgain(): void {
  const { words } = readBoot();
  if (rememberReload()) {
    // What was typed is to be there again.
    dispatchEvent(new Event('portal-reload'));
    say(words['update.loading'] ?? '', undefined);
    // Time to read it, and for the balancer to go on to another process.
    setTimeout(() => location.reload(), 1500);
  } else say(words['update.failed'] ?? '', words['update.again']);
}
type Page = {
  readonly boot: { readonly words: Readonly<Record<string, string>>; readonly principal: { readonly type: string } };
};

/** A style sheet that could not be fetched is there: empty, or closed to scripts where the answer was of another type. */
function hasStyles(): boolean {
  try {
    const { sheet } = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]') ?? {};
    return (sheet?.cssRules.length ?? 0) > 0;
  } catch {
    return false;
  }
}

/** Remembered once a page of this tab was drawn in a font of the browser, as are then those that follow it. */
const plainFont = 'plain-font';

/**
 * Has text drawn in the portal's font where the browser keeps it; called before anything is drawn, so that no text ever
 * changes under its reader, on this page or from one page of a tab to the next. False where it is not kept.
 */
async function drawInFont(): Promise<boolean> {
  const file = await caches.match(__FONT__);
  if (!file) return false;
  if (inTab(storage => storage.getItem(plainFont))) return true;
  const content = await file.arrayBuffer();
  if (!isLate) document.fonts.add(new FontFace('Inter', content, { weight: '400 600' }));
  return true;
}

/** True once something is drawn. */
let isLate = false;

/** Fetches the font for the pages after this one, since no first page is to wait for it. */
async function keepFont(): Promise<void> {
  await caches.delete('font');
  await (await caches.open('font')).add(new Request(__FONT__, { priority: 'low' }));
}

async function bring(address: string): Promise<void> {
  try {
    if (!hasStyles()) return loadAgain();
    // There is no store on a page without https; its browser draws a font of its own, as where the store is slow.
    const isKept = drawInFont().catch(() => true);
    await Promise.race([isKept, pause(longestFontWait)]);
    isLate = true;
    if (document.fonts.size === 0) inTab(storage => storage.setItem(plainFont, '1'));
    await import(address);
    inTab(storage => storage.removeItem(mark));
    if (!(await isKept)) setTimeout(() => void keepFont().catch(() => undefined), fontPause);
  } catch (error) {
    if (!isMissing(error)) throw error;
    loadAgain();
  }
}

/** Milliseconds. */
const fontPause = 1000;
const longestFontWait = 60;
const firstPause = 2000;
const longestPause = 30_000;

const pause = (length: number): Promise<undefined> => new Promise(resolve => setTimeout(resolve, length));

/** Asks for the page again and again, ever more seldom and never in step with others, and shows it once it is there. */
async function waitForPage(): Promise<void> {
  for (let length = firstPause; ; length = Math.min(length * 1.5, longestPause)) {
    await pause(length * (0.75 + Math.random() / 2));
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
    if (answer && answer.status < 500) return location.reload();
  }
}

if (main !== undefined) {
  // What a page needs later may be gone as well.
  addEventListener('unhandledrejection', ({ reason }) => isMissing(reason) && loadAgain());
  addEventListener('error', ({ error }) => isMissing(error) && loadAgain());
  addEventListener('keydown', keepEarlyKey);
  void bring(main);
} else if (trying !== undefined) {
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  document.querySelector('main')?.append(status);
  status.textContent = trying;
  void waitForPage();
}

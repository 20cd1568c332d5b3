import { type Browser, chromium } from 'playwright-core';
import { ensureChromium } from '../chromium.ts';
import { type MeasuredPage, openMeasuredPage, type Ready } from './browser/probe.ts';
import { servePages } from './browser/serve-pages.ts';
import { type Measure, median } from './report.ts';

/** What is measured on a page besides its mount and its heap. */
type Case = {
  readonly name: string;
  readonly what: string;
  readonly ready: { readonly portal: Ready; readonly plain: Ready };
  /** Limit of the time to paint, against the plain page. */
  readonly painted: number;
  /** A text field to type in and a box or button to press, as selectors. */
  readonly field?: string;
  readonly box?: string;
  /** True for a page with a search box. */
  readonly searches?: boolean;
  /** Limit of opening the form of a row, against the plain page. */
  readonly opens?: number;
};

type Side = 'portal' | 'plain';
type Taken = {
  readonly painted: number[];
  readonly heap: number[];
  readonly key: number[];
  readonly toggle: number[];
  readonly keyProcessor: number[];
  readonly toggleProcessor: number[];
  readonly search: number[];
  readonly open: number[];
  readonly openPainted: number[];
};

const inputs = (count: number): Ready => ({ selector: 'input, select', count });
const same = (ready: Ready): Case['ready'] => ({ portal: ready, plain: ready });

/** Inputs of the form of 12 fields while its one condition is not met. */
const smallInputs = 11;
const dialogReady: Ready = { selector: 'dialog:modal :is(input, select)', count: smallInputs };

const cases: readonly Case[] = [
  {
    name: 'small-form',
    what: 'form of 12 fields',
    ready: same(inputs(smallInputs)),
    painted: 1.5,
    field: '[name=Name]',
    box: '[name=Billing]',
  },
  {
    name: 'large-form',
    what: 'form of 200 fields',
    ready: same(inputs(170)),
    painted: 1.5,
    field: '[name=Field7]',
    box: '[name=Field10]',
  },
  {
    name: 'table',
    what: 'windowed table of 1,000 rows',
    ready: { portal: { selector: 'tbody tr', count: 20 }, plain: { selector: 'tbody tr', count: 1000 } },
    painted: 0.3,
    searches: true,
  },
  {
    name: 'match',
    what: '2,000 items to match',
    ready: { portal: { selector: 'tbody tr', count: 20 }, plain: { selector: 'tbody tr', count: 2000 } },
    painted: 0.3,
    box: '[data-testid=matches-row-3-ignore]',
    searches: true,
  },
  {
    name: 'screen',
    what: 'screen of tabs and 25 rows',
    ready: same({ selector: '.card', count: 25 }),
    painted: 1.5,
    opens: 1.5,
  },
];

const runs = 9;
/** Presses before those that count: they find the field untouched and its code not yet compiled. */
const warmUp = 10;
/** Many keys, as one costs less than what else a browser does at times. */
const letters = 'nottinghamshireleicestershirederbyshire'.repeat(2).split('');
const presses: string[] = Array(120).fill('Space');
/** Openings of a row's form: the first ones as the presses above. */
const openings = { warmUp: 2, counted: 5 };
/** A search begins when typing has paused; the wait must see it end. */
const searchSettle = 400;

/**
 * Measures the portal's runtime in a real browser against pages of plain React that do the same; the two take turns.
 * Gives the measures.
 */
export async function benchBrowser(root: string): Promise<Measure[]> {
  const pages = await servePages(root);
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const measures: Measure[] = [];
    for (const one of cases) measures.push(...(await measureCase(browser, pages.url, one)));
    return measures;
  } finally {
    await browser.close();
    pages.close();
  }
}

async function measureCase(browser: Browser, url: string, one: Case): Promise<Measure[]> {
  const taken: Record<Side, Taken> = { portal: nothing(), plain: nothing() };
  for (let run = 0; run < runs; run++) {
    const sides: Side[] = run % 2 ? ['plain', 'portal'] : ['portal', 'plain'];
    for (const side of sides) await measureOnce(browser, `${url}/${side}`, side, one, taken[side]);
  }
  const against = (part: keyof Taken, what: string, limit: number, unit: string): Measure[] =>
    taken.portal[part].length
      ? [
          {
            what: `${one.what}, ${what}`,
            measured: median(taken.portal[part]),
            floor: median(taken.plain[part]),
            limit,
            unit,
          },
        ]
      : [];
  return [
    ...against('painted', 'painted', one.painted, 'ms'),
    ...against('heap', 'heap', 1.5, 'MB'),
    ...against('key', 'script per key', 1.3, 'ms'),
    ...against('toggle', 'script per toggle', 1.3, 'ms'),
    ...against('keyProcessor', 'processor per key at 60 a second', 1.3, 'ms'),
    ...against('toggleProcessor', 'processor per toggle at 60 a second', 1.3, 'ms'),
    ...against('search', 'script per key of a search', 1.5, 'ms'),
    ...against('openPainted', 'form of a row painted', one.opens ?? 0, 'ms'),
    ...against('open', 'script to open the form of a row', one.opens ?? 0, 'ms'),
  ];
}

async function measureOnce(browser: Browser, url: string, side: Side, one: Case, taken: Taken): Promise<void> {
  const probe = await openMeasuredPage(browser, url);
  try {
    taken.painted.push(await probe.mount(one.name, one.ready[side]));
    taken.heap.push((await probe.heap()) / 1e6);
    if (one.field) {
      taken.key.push(await timePresses(probe, one.field, letters));
      taken.keyProcessor.push(await timeFrames(probe, one.field, letters));
    }
    if (one.box) {
      taken.toggle.push(await timePresses(probe, one.box, presses));
      taken.toggleProcessor.push(await timeFrames(probe, one.box, presses));
    }
    if (one.searches) taken.search.push(await timePresses(probe, '[type="search"]', letters, searchSettle));
    if (one.opens) {
      taken.open.push(await timeOpenings(probe, openByKey));
      taken.openPainted.push(await timeOpenings(probe, openPainted));
    }
  } finally {
    await probe.close();
  }
}

/** Script time per key pressed in that input. */
async function timePresses(
  { page, scriptTime }: MeasuredPage,
  input: string,
  keys: readonly string[],
  settle?: number,
): Promise<number> {
  await page.focus(input);
  for (const key of keys.slice(0, warmUp)) await page.keyboard.press(key);
  const time = await scriptTime(async () => {
    for (const key of keys) await page.keyboard.press(key);
  }, settle);
  return time / keys.length;
}

/** Processor time per key where each frame of 60 a second has one, so that all that a key changes is drawn for it. */
async function timeFrames(
  { page, processorTime }: MeasuredPage,
  input: string,
  keys: readonly string[],
): Promise<number> {
  await page.focus(input);
  const time = await processorTime(async () => {
    const start = performance.now();
    for (const [index, key] of keys.entries()) {
      const wait = start + (index * 1000) / 60 - performance.now();
      if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
      await page.keyboard.press(key);
    }
  });
  return time / keys.length;
}

/** Opens a dialog from the button in focus and gives how long that took. */
type Opening = (probe: MeasuredPage) => Promise<number>;

/** Script time from the press of the button. */
const openByKey: Opening = ({ page, scriptTime }) => scriptTime(() => page.keyboard.press('Enter'));

/** Time from the press until the dialog is painted. */
const openPainted: Opening = probe => probe.press(dialogReady);

/** Time to open a row's form of 12 fields in a dialog; the middle one of several rows. */
async function timeOpenings(probe: MeasuredPage, open: Opening): Promise<number> {
  const { page } = probe;
  const times: number[] = [];
  for (let row = 0; row < openings.warmUp + openings.counted; row++) {
    await page.locator('.card').nth(row).locator('button').first().focus();
    times.push(await open(probe));
    await page.waitForFunction(
      ({ selector, count }) => document.querySelectorAll(selector).length === count,
      dialogReady,
    );
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelectorAll('dialog :is(input, select)').length === 0);
  }
  return median(times.slice(openings.warmUp));
}

function nothing(): Taken {
  return {
    painted: [],
    heap: [],
    key: [],
    toggle: [],
    keyProcessor: [],
    toggleProcessor: [],
    search: [],
    open: [],
    openPainted: [],
  };
}

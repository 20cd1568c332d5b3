import type { Browser, CDPSession, Page } from 'playwright-core';

/** A page under measurement. Times are milliseconds, sizes bytes. */
export type MeasuredPage = {
  readonly page: Page;
  /** Mounts `name` and waits until `ready` holds and two more frames were drawn; gives the time since the mount. */
  mount(name: string, ready: Ready): Promise<number>;
  /** As `mount`, from a press of the button in focus. */
  press(ready: Ready): Promise<number>;
  /** Script time that `act` caused, with what it put off for up to `settle` milliseconds. */
  scriptTime(act: () => Promise<void>, settle?: number): Promise<number>;
  /** Processor time of everything that draws the page, on all its threads, from `act` until it is painted. */
  processorTime(act: () => Promise<void>): Promise<number>;
  /** What the page keeps after a collection. */
  heap(): Promise<number>;
  close(): Promise<void>;
};

/** At least `count` elements match `selector`. */
export type Ready = { readonly selector: string; readonly count: number };

/** A phone of the middle class. It also keeps the length of a frame (17 ms) from hiding what mounting costs. */
const throttling = 4;

/** Milliseconds in which what an act put off (deferred renders, timers of a frame) is done; it counts as well. */
const usualSettle = 60;

/**
 * Opens `url` in a fresh page, waits until its script can mount the bench, and gives functions that measure in that
 * page.
 */
export async function openMeasuredPage(browser: Browser, url: string): Promise<MeasuredPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  // tsx wraps named functions in a helper of its own; what runs in the page must find it there.
  await context.addInitScript('globalThis.__name = made => made');
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const system = await browser.newBrowserCDPSession();
  // Script is measured in time of the processor, so that what else runs on the machine does not count.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(url);
  await page.waitForFunction(() => 'mountBench' in window);
  /** Time of an act until it is painted, on a slow machine. */
  const timePaint = async (ready: Ready, name?: string): Promise<number> => {
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttling });
    const time = await page.evaluate(timeAct, { ...ready, name });
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    return time;
  };
  return {
    page,
    mount: (name, ready) => timePaint(ready, name),
    press: ready => timePaint(ready),
    scriptTime: async (act, settle = usualSettle) => {
      const before = await metric(cdp, 'ScriptDuration');
      await act();
      await new Promise(resolve => setTimeout(resolve, settle));
      return ((await metric(cdp, 'ScriptDuration')) - before) * 1000;
    },
    processorTime: async act => {
      const before = await drawingTime(system);
      await act();
      await new Promise(resolve => setTimeout(resolve, usualSettle));
      return ((await drawingTime(system)) - before) * 1000;
    },
    heap: async () => {
      await cdp.send('HeapProfiler.collectGarbage');
      return metric(cdp, 'JSHeapUsedSize');
    },
    close: async () => {
      await system.detach();
      await context.close();
    },
  };
}

async function metric(cdp: CDPSession, name: string): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(one => one.name === name)?.value ?? Number.NaN;
}

/** Seconds of the processor that pages and what paints them have taken so far; the bench has one page at a time. */
async function drawingTime(system: CDPSession): Promise<number> {
  const { processInfo } = await system.send('SystemInfo.getProcessInfo');
  const drawing = processInfo.filter(({ type }) => type === 'renderer' || type === 'GPU');
  return drawing.reduce((total, { cpuTime }) => total + cpuTime, 0);
}

/** Runs in the page: mounts `name`, or without it presses the button in focus. */
function timeAct({ name, selector, count }: Ready & { readonly name: string | undefined }): Promise<number> {
  const { mountBench } = window as unknown as { mountBench: (name: string) => void };
  const isReady = (): boolean => document.querySelectorAll(selector).length >= count;
  return new Promise(resolve => {
    requestAnimationFrame(() => {
      const from = performance.now();
      const settle = (): void => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - from)));
      };
      const seen = new MutationObserver(() => {
        if (!isReady()) return;
        seen.disconnect();
        settle();
      });
      // A dialog that is filled before it opens changes an attribute last.
      seen.observe(document.body, { childList: true, subtree: true, attributeFilter: ['open'] });
      if (name === undefined) (document.activeElement as HTMLElement).click();
      else mountBench(name);
    });
  });
}

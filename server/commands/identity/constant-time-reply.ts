import { setTimeout as sleep } from 'node:timers/promises';

const interval = 500;

/**
 * Waits until a whole number of intervals of 500 milliseconds has passed since `started` (of `performance.now()`), so that the timing
 * of a reply does not tell what was found.
 */
export async function keepPace(started: number): Promise<void> {
  const taken = performance.now() - started;
  await sleep(Math.ceil((taken + 1) / interval) * interval - taken);
}

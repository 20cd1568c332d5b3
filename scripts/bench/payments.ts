import { payWhileKilled } from '../../test/fixtures/killed-payments.ts';
import type { Measure } from './report.ts';

const presses = 50;
/** Milliseconds after the press within which it is killed; a payment takes less on a quiet machine. */
const longest = 60;

/** Fifty moments that are the same in every run (mulberry32 with a fixed seed). */
function seededMoments(): number[] {
  let state = 20_261_125;
  return Array.from({ length: presses }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * longest;
  });
}

/**
 * Kills the sandbox at fifty moments during payments, and counts charges and payment records that are missing or
 * doubled.
 */
export async function benchPayments(): Promise<Measure[]> {
  const { charges, movements, paid } = await payWhileKilled(seededMoments());
  const off = (count: number, expected: number) => Math.abs(count - expected);
  return [
    {
      what: `payments killed at ${presses} moments, charges too many or too few`,
      measured: off(charges.length, presses),
      limit: 0,
      unit: 'charges',
    },
    {
      what: `payments killed at ${presses} moments, records too many or too few`,
      measured: off(movements + paid / 100, presses),
      limit: 0,
      unit: 'records',
    },
  ];
}

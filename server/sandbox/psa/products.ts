import { autotask } from './autotask.ts';
import { connectWise } from './connectwise.ts';
import type { PsaClient } from './records.ts';
import type { PsaProduct } from './tables.ts';

export const psaProducts: Readonly<Record<PsaProduct, PsaClient>> = { 1: autotask, 6: connectWise };

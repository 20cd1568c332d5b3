import { password } from './password.ts';
import type { Strategy } from './strategy.ts';

/** The ways in, by name. */
export const strategies = { password } as const satisfies Record<string, Strategy>;

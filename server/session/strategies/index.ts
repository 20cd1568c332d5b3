import { link } from './link.ts';
import { password } from './password.ts';
import type { Strategy } from './strategy.ts';

/** The ways in, by name. */
export const strategies = { password, link } as const satisfies Record<string, Strategy>;

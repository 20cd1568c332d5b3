import { jump } from './jump.ts';
import { link } from './link.ts';
import { password } from './password.ts';

/** The ways in, by name. */
export const strategies = { password, link, jump } as const;

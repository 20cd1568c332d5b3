import { Crumbs } from './crumbs.tsx';
import { Header } from './header.tsx';
import { Help } from './help.tsx';

/** What stands around a screen for those who are signed in; the sign-in page does without, and without its code. */
export const signedInParts = { Header, Crumbs, Help } as const;
export type SignedInParts = typeof signedInParts;

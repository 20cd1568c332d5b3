import type { Opening } from './session-cache.ts';

/** The ways to sign in that have words of their own. */
export const signInWays = ['password', 'password-app', 'password-recovery', 'sso', 'office', 'jump'] as const;
export type SignInWay = (typeof signInWays)[number];

/** Gives the way by which a session is opened: a jump, an identity provider, or a password and what came after it. */
export function signInWayOf({ acting, connection, factor }: Opening): SignInWay {
  if (acting?.jumpedBy !== undefined) return 'jump';
  return connection ?? (factor === undefined ? 'password' : `password-${factor}`);
}

import type { UserType } from '../../shared/contract/boot.ts';

/** How a session acts, other than for its own account in its own view (document 1, section 4). */
export type Acting = {
  /**
   * User name of who is really acting: the flag of an admin jump, which is of the SSO flow (no code is asked for here)
   * but signs out to /login.
   */
  readonly jumpedBy?: string;
  /** The user type from before the switch into the end-user view; absent while not switched. */
  readonly previousType?: UserType;
};

/** Permissions that an end user may have (document 1, section 2.2). */
export const endUserPermissions: readonly string[] = ['hostedExchange', 'advancedSecurity', 'ownAliases'];

/**
 * Writes how an account acts (jumped, switched view) as the database stores it: null for one in its own name and view.
 */
export const writeActing = (acting: Acting): string | null =>
  Object.keys(acting).length === 0 ? null : JSON.stringify(acting);

/**
 * Names an account together with how it acts (jumped, switched view). Pages with different names share no drafts or
 * replies.
 */
export function nameActing(userId: string, { jumpedBy, previousType }: Acting): string {
  return [userId, ...(previousType ? ['switched'] : []), ...(jumpedBy ? [`by ${jumpedBy}`] : [])].join(' ');
}

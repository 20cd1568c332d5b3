import type { Principal } from '../access/principal.ts';
import { PortalError } from '../errors.ts';
import type { Access, Version } from '../layouts/index.ts';
import type { Session } from '../session/session-cache.ts';
import type { AuditRecord } from '../store/audit.ts';

/** The caller of a request, with the version of the documents by which all of the request is authorised. */
export type Caller = {
  /** Absent for someone who is not signed in. */
  readonly session: Session | undefined;
  /** The cookie that came along, whether or not it still stands for a session. */
  readonly identifier: string | undefined;
  /** Names the half-finished flow that this browser is in. */
  readonly stage: string | undefined;
  readonly principal: Principal;
  readonly version: Version;
  readonly access: Access;
  /** Network address of the browser. */
  readonly address: string;
  /** What the browser runs on, in short words; it is the browser that says so. */
  readonly device: string;
  /** Names the request in the log, and to the user where it fails. */
  readonly reference: string;
  /** The trace that the request is a part of, as the header `traceparent` has it. */
  readonly trace: string | undefined;
};

/**
 * Gives the fields of an audit record that say who did it: account, real actor (by a jump), network address and device.
 */
export function traceOf({
  session,
  principal,
  address,
  device,
}: Caller): Pick<AuditRecord, 'account' | 'actor' | 'address' | 'device'> {
  return { account: session?.account, actor: principal.facts.actor, address, device };
}

/**
 * Gives the caller's session.
 * @throws {PortalError} SESSION_ENDED without one
 */
export function sessionOf({ caller }: { readonly caller: Caller }): Session {
  if (!caller.session) throw new PortalError('SESSION_ENDED');
  return caller.session;
}

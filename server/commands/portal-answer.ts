import type { CloudRequest } from '../cloud/call.ts';
import type { Caller } from '../operations/caller.ts';
import type { Services } from '../operations/services.ts';
import type { Session } from '../session/session-cache.ts';

/** What an answer is made from: who asks, the parameters that were checked, and the portal's parts. */
export type PortalRequest = {
  readonly caller: Caller;
  /** Throws SESSION_ENDED for someone who is not signed in. */
  readonly session: Session;
  readonly parameters: CloudRequest['parameters'];
  readonly services: Services;
  /** Ends the calls that it makes, where nobody waits for them any more. */
  readonly signal?: AbortSignal | undefined;
};

/** Gives the Result of the reply. Throws a PortalError. */
export type PortalAnswer = (asked: PortalRequest) => Promise<unknown>;

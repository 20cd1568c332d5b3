import type { CloudReply } from '../cloud/call.ts';
import type { Caller } from '../operations/caller.ts';
import { staleAfter } from '../operations/stale-reads.ts';

/** The screen of an act that waits, or was decided. */
const addressOf = (approvalId: string): string => `/approvals/${encodeURIComponent(approvalId)}`;

/**
 * Adds to the reply of an act that waits for the approval of another person what the browser does then, in place of what
 * would follow if it were done: it closes what asked for it, and shows the act and that it waits. Other replies stay.
 */
export function showWaiting<R extends Pick<CloudReply, 'envelope'>>(caller: Caller, reply: R): R {
  const { Waits } = reply.envelope;
  if (!Waits) return reply;
  return {
    ...reply,
    envelope: {
      ...reply.envelope,
      effects: [
        ...staleAfter(caller, 'approvals.withdraw'),
        { do: 'close-popup' },
        { do: 'navigate', to: addressOf(Waits.ApprovalId) },
        { do: 'toast', text: caller.access.serverText('approval.waits'), kind: 'info' },
      ],
    },
  };
}

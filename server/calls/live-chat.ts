import type { LiveChat } from '../../shared/contract/live-chat.ts';
import { handOverPath } from '../commands/sites/sites.ts';
import type { Caller } from '../operations/caller.ts';
import type { Services } from '../operations/services.ts';

/**
 * Gives what the page of the live chat frames, in the session that its ticket is for and until the frame was opened;
 * undefined for any other ticket. The ticket is used up by the frame, not by this page.
 */
export async function openLiveChat(
  { signInStages }: Services,
  { session }: Caller,
  ticket: string | undefined,
): Promise<LiveChat | undefined> {
  const found = await signInStages.find(ticket, 'hand-over');
  if (ticket === undefined || !session || found?.session !== session.key || found.licence === undefined)
    return undefined;
  return { ticket, src: handOverPath + ticket, origin: new URL(found.to).origin };
}

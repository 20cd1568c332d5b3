import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import type { CommandContext, CommandReply } from '../command.ts';

/** Gives up in the popup of a flow, of which nothing is kept; `more` is done besides. */
export async function cancelStage(
  { services, step = '' }: CommandContext,
  more: readonly ReplyEffect[] = [],
): Promise<CommandReply> {
  await services.signInStages.close(step);
  return { step: '', envelope: { Succeed: true, effects: [{ do: 'close-popup' }, ...more] } };
}

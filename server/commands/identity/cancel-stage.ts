import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import type { CommandContext, CommandReply } from '../command.ts';

/** Gives up in the popup of a flow, of which nothing is kept; `more` is done besides. */
export async function cancelStep(
  { services, step = '' }: CommandContext,
  more: readonly ReplyEffect[] = [],
): Promise<CommandReply> {
  await services.steps.close(step);
  return { step: '', envelope: { Succeed: true, effects: [{ do: 'close-popup' }, ...more] } };
}

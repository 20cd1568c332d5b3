import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import type { CommandContext, CommandReply } from '../command.ts';

/** Ends the sign-in stage of an open popup and gives the reply that closes it, with further effects `more`. */
export async function cancelStage(
  { services, stage = '' }: CommandContext,
  more: readonly ReplyEffect[] = [],
): Promise<CommandReply> {
  await services.signInStages.close(stage);
  return { stage: '', envelope: { Succeed: true, effects: [{ do: 'close-popup' }, ...more] } };
}

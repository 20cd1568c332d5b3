import type { Effect } from '../../../shared/language/types.ts';
import type { StageContent } from '../../session/sign-in-stages.ts';
import type { FurtherProof } from '../../session/strategies/strategy.ts';
import type { CommandContext, CommandReply } from '../command.ts';
import { offerApp } from '../identity/authenticator-app.ts';
import { openNewPasswordStage } from './new-password-stage.ts';

/**
 * Opens the sign-in stage for what is needed after a right password (a new password, a code, or setting up an
 * authenticator app), and gives the reply that leads to it.
 */
export async function askForCode(
  context: Pick<CommandContext, 'caller' | 'services'>,
  needed: FurtherProof,
  waiting: Omit<StageContent['second-factor'], 'key'>,
): Promise<CommandReply> {
  const { services } = context;
  if (needed.kind === 'new-password') return openNewPasswordStage(services, needed.owner, waiting.returnTo);
  const key = needed.kind === 'set-up' ? needed.key : '';
  const stage = await services.signInStages.open('second-factor', { ...waiting, key });
  const effect: Effect =
    key === ''
      ? { do: 'open-popup', popup: 'configure-mfa-verification-code' }
      : offerApp(context, waiting.username, key);
  return { stage, envelope: { Succeed: true, effects: [effect] } };
}

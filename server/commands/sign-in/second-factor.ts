import type { SecondFactor } from '../../cloud/accounts.ts';
import { PortalError } from '../../errors.ts';
import type { ServerText } from '../../layouts/index.ts';
import { strategies } from '../../session/strategies/index.ts';
import type { Command, CommandContext, CommandReply } from '../command.ts';
import { cancelStage } from '../identity/cancel-stage.ts';
import { codesOf, recordProof } from '../identity/proof.ts';
import { openNewPasswordStage } from './new-password-stage.ts';
import { openSessionOrAskView, openSessionOrShowCodes, refuseLocked, startAgain } from './open-session.ts';

/** What is asked for in a popup: the field that holds it, its action in the audit, and the text where it is wrong. */
type CodePrompt = { readonly field: string; readonly action: string; readonly wrong: ServerText };

/**
 * Makes the sign-in again with what comes after the password (document 1, section 4). The password waits on the
 * server, sealed, for ten minutes; until the second factor is right the browser is nobody.
 */
async function goOn(
  context: CommandContext,
  { field, action, wrong }: CodePrompt,
  given: Omit<SecondFactor, 'key'>,
): Promise<CommandReply> {
  const { caller, services, stage = '' } = context;
  const waiting = await services.signInStages.find(stage, 'second-factor');
  if (!waiting) throw new PortalError('STEP_ENDED', { detail: 'no second factor is waited for' });
  const { username, password, key, returnTo, adtoken } = waiting;
  await refuseLocked(context, username);
  const counter = codesOf(username);
  if ((await services.attempts.admit(counter, caller.address, true)) !== 'admitted') {
    await services.signInStages.close(stage);
    await recordProof(context, username, action, 'refused', 'locked');
    throw new PortalError('TOO_MANY_CODES');
  }
  const second = { key, ...given };
  const strategy = adtoken === undefined ? strategies.password : strategies.link;
  const outcome = await strategy(services.accounts, { username, password, second, adtoken }).catch(async error => {
    await services.attempts.forgive(counter, caller.address, 'unchecked');
    throw error;
  });
  if (outcome.kind === 'further-proof' && outcome.proof.kind === 'new-password') {
    await services.signInStages.close(stage);
    await services.attempts.forgive(counter, caller.address, 'unchecked');
    return openNewPasswordStage(services, outcome.proof.owner, returnTo);
  }
  if (outcome.kind === 'further-proof') {
    await recordProof(context, username, action, 'refused', 'wrong code');
    throw new PortalError('FIELDS_INVALID', { errors: { [field]: [caller.access.serverText(wrong)] } });
  }
  await services.signInStages.close(stage);
  if (outcome.kind === 'refused') throw new PortalError('STEP_ENDED', { detail: 'the password is no longer right' });
  await services.attempts.forgive(counter, caller.address, 'right');
  await services.attempts.forgive(username, caller.address, 'right');
  await recordProof(context, outcome.userName, action, 'done');
  if (adtoken !== undefined) await recordProof(context, username, 'account.link', 'done');
  const factor = given.recovery === undefined ? 'app' : 'recovery';
  const opening = adtoken === undefined ? ({ factor } as const) : ({ connection: 'office' } as const);
  return openSessionOrShowCodes(context, outcome, returnTo, opening);
}

/** The code of an authenticator app. */
export const authSecondFactor: Command = {
  declaration: {
    name: 'auth.second-factor',
    body: 'mfa-code',
    opens: ['switch-user', 'recovery-codes'],
    requires: 'signed-out',
  },
  run: context =>
    goOn(
      context,
      {
        field: 'Code',
        action: 'session.second-factor',
        wrong: 'code.wrong',
      },
      { code: String(context.body.Code ?? '').replace(/\s/g, '') },
    ),
};

/** A recovery code, for who has no phone at hand. */
export const authRecoveryCode: Command = {
  declaration: {
    name: 'auth.recovery-code',
    body: 'recovery-code',
    opens: ['switch-user'],
    requires: 'signed-out',
  },
  run: context =>
    goOn(
      context,
      {
        field: 'RecoveryCode',
        action: 'session.recovery-code',
        wrong: 'recoveryCode.wrong',
      },
      { code: '', recovery: String(context.body.RecoveryCode ?? '') },
    ),
};

/** The recovery codes of an app that was set up at sign-in are kept: only now does the session begin. */
export const authCodesKept: Command = {
  declaration: {
    name: 'auth.codes-kept',
    opens: ['switch-user'],
    requires: 'signed-out',
  },
  async run(context) {
    const waiting = await context.services.signInStages.take(context.stage, 'recovery-codes');
    if (!waiting) throw startAgain();
    return openSessionOrAskView(context, waiting.signedIn, waiting.returnTo, waiting.opening);
  },
};

/** Gives up between password and code: nothing of the sign-in is kept, nor of a work account that was to be linked. */
export const authCancelStage: Command = {
  declaration: { name: 'auth.cancel-step', requires: 'signed-out' },
  async run(context) {
    const { adtoken } = (await context.services.signInStages.find(context.stage, 'second-factor')) ?? {};
    const gone =
      adtoken === undefined ? [] : [{ do: 'refresh-operations', operations: ['signOn.workAccount'] } as const];
    return cancelStage(context, gone);
  },
};

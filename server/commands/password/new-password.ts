import type { PasswordOutcome } from '../../cloud/passwords.ts';
import { type ErrorCode, PortalError } from '../../errors.ts';
import { traceOf } from '../../operations/caller.ts';
import type { CommandContext, CommandReply } from '../command.ts';
import { typedAccount } from '../identity/typed-account.ts';
import { ratePassword } from './password-verdict.ts';

/** How a change is allowed, as the audit names it. */
export type Way = 'link' | 'after sign-in' | 'signed in';

const invalid = (field: string, ...messages: string[]): PortalError =>
  new PortalError('FIELDS_INVALID', { errors: { [field]: messages } });

/** The new password, which the rules of the cloud have passed, typed twice alike. Throws FIELDS_INVALID. */
export async function readNewPassword({ body, caller, services }: CommandContext): Promise<string> {
  const { serverText } = caller.access;
  const password = String(body.NewPassword ?? '');
  const { faults } = await ratePassword(await services.passwords.rules(), password);
  if (faults.length > 0) throw invalid('NewPassword', ...faults.map(fault => fault || serverText('password.weak')));
  if (password === body.ExistingPassword) throw invalid('NewPassword', serverText('password.same'));
  if (password !== body.NewPasswordAgain) throw invalid('NewPasswordAgain', serverText('password.again'));
  return password;
}

/** Keeps what became of a change; nothing of either password is in it. */
export async function recordChange(
  { caller, services }: CommandContext,
  name: string,
  way: Way,
  outcome: 'done' | 'refused' | 'failed',
  why = '',
): Promise<void> {
  const { account, detail } = way === 'link' ? await typedAccount(services, name) : { account: name, detail: {} };
  await services.audit({
    action: 'password.changed',
    outcome,
    ...traceOf(caller),
    account,
    detail: { way, ...(why !== '' && { why }), ...detail },
  });
}

/**
 * Counts an attempt as a wrong password before it is made, makes it, and takes the count back unless the password was
 * wrong. Throws TOO_MANY_PASSWORDS, and what the cloud's silence throws.
 */
export async function attemptChange(
  context: CommandContext,
  account: string,
  way: Way,
  counter: string,
  change: () => Promise<PasswordOutcome>,
): Promise<PasswordOutcome> {
  const { attempts } = context.services;
  const { address } = context.caller;
  if ((await attempts.admit(counter, address, true)) !== 'admitted') {
    await recordChange(context, account, way, 'refused', 'too many');
    throw new PortalError('TOO_MANY_PASSWORDS');
  }
  const outcome = await change().catch(async error => {
    await attempts.forgive(counter, address, 'unjudged');
    await recordChange(context, account, way, 'failed');
    throw error;
  });
  if (outcome.kind !== 'wrong' && outcome.kind !== 'ended') await attempts.forgive(counter, address, 'unjudged');
  return outcome;
}

/** Says why nothing was changed (document 1, section 8); `ended` is what is over where the cloud knows no such change. */
export async function refuseChange(
  context: CommandContext,
  account: string,
  way: Way,
  outcome: Exclude<PasswordOutcome, { kind: 'changed' }>,
  ended: ErrorCode,
): Promise<CommandReply> {
  await recordChange(context, account, way, 'refused', outcome.kind);
  if (outcome.kind === 'refused') return outcome.reply;
  if (outcome.kind === 'ended') throw new PortalError(ended);
  const { serverText } = context.caller.access;
  if (outcome.kind === 'weak') throw invalid('NewPassword', serverText('password.weak'));
  throw invalid('ExistingPassword', serverText('password.wrong'));
}

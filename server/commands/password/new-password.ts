import type { PasswordOutcome } from '../../cloud/passwords.ts';
import { type ErrorCode, PortalError } from '../../errors.ts';
import { traceOf } from '../../operations/caller.ts';
import type { CommandContext, CommandReply } from '../command.ts';
import { typedAccount } from '../identity/typed-account.ts';
import { ratePasswordFor } from './password-verdict.ts';

/** What allowed a password change, in the words of the audit. */
export type Way = 'link' | 'after sign-in' | 'signed in';

const invalid = (field: string, ...messages: string[]): PortalError =>
  new PortalError('FIELDS_INVALID', { errors: { [field]: messages } });

/**
 * Reads the new password from the body, after the checks that cost nothing: other than the existing password, typed
 * twice alike.
 * @throws {PortalError} FIELDS_INVALID by field
 */
export function readTypedPassword({ body, caller }: CommandContext): string {
  const { serverText } = caller.access;
  const password = String(body.NewPassword ?? '');
  if (password === body.ExistingPassword) throw invalid('NewPassword', serverText('password.same'));
  if (password !== body.NewPasswordAgain) throw invalid('NewPasswordAgain', serverText('password.again'));
  return password;
}

/**
 * Checks a password against the cloud's rules. That is work for the processor: only for those of whom it is known that
 * they may choose one.
 * @throws {PortalError} FIELDS_INVALID, and as `ratePasswordFor`
 */
async function checkRules(context: CommandContext, password: string): Promise<void> {
  const { serverText } = context.caller.access;
  const { faults } = await ratePasswordFor(context, password);
  if (faults.length > 0) throw invalid('NewPassword', ...faults.map(fault => fault || serverText('password.weak')));
}

/**
 * Reads the new password of somebody who is known to be the one to choose it, after all checks.
 * @throws {PortalError} FIELDS_INVALID by field
 */
export async function readNewPassword(context: CommandContext): Promise<string> {
  await checkRules(context, String(context.body.NewPassword ?? ''));
  return readTypedPassword(context);
}

/** Records the outcome of a password change in the audit; it holds no password. */
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
    await attempts.forgive(counter, address, 'unchecked');
    await recordChange(context, account, way, 'failed');
    throw error;
  });
  if (outcome.kind !== 'wrong' && outcome.kind !== 'ended') await attempts.forgive(counter, address, 'unchecked');
  return outcome;
}

/**
 * Records a refused password change, then gives the cloud's reply where it refused in words, else throws (document 1,
 * section 8).
 * @throws {PortalError} `ended` when the link or session for the change is over, FIELDS_INVALID for a weak new or a
 * wrong existing password
 */
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
  if (outcome.kind === 'weak') {
    await checkRules(context, String(context.body.NewPassword ?? ''));
    throw invalid('NewPassword', serverText('password.weak'));
  }
  throw invalid('ExistingPassword', serverText('password.wrong'));
}

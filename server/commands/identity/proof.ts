import type { CloudReply } from '../../cloud/call.ts';
import { PortalError } from '../../errors.ts';
import { sessionOf, traceOf } from '../../operations/caller.ts';
import type { CommandContext } from '../command.ts';

/**
 * Gives the key under which attempts at codes are counted, apart from those at passwords, so that one does not use up
 * the other's limit.
 */
export const codesOf = (username: string): string => `second factor of ${username}`;

/** What a call is told that it proves, by the fields of the cloud's refusal. */
export type Proves = readonly ('Password' | 'Code' | 'RecoveryCode')[];

/** Records in the audit whether a proof (password, code) was right; the record holds nothing of the proof. */
export async function recordProof(
  { caller, services }: CommandContext,
  account: string,
  action: string,
  outcome: 'done' | 'refused',
  why?: string,
): Promise<void> {
  await services.audit({
    action,
    outcome,
    ...traceOf(caller),
    account,
    ...(why !== undefined && { detail: { why } }),
  });
}

/**
 * Makes a call for which a signed-in user gives a password or code again (OWASP ASVS 5.0, 7.5.1). Counts the attempt
 * before the call, with those of signing in, since a session that is left open must not be a place to guess. Records
 * refusals under `action`.
 * @throws {PortalError} TOO_MANY_PROOFS, and as `call`
 */
export async function withProof(
  context: CommandContext,
  action: string,
  proves: Proves,
  call: () => Promise<CloudReply>,
): Promise<CloudReply> {
  const { caller, services } = context;
  const { account } = sessionOf(context);
  const counters = proves.map(field => ({ field, name: field === 'Password' ? account : codesOf(account) }));
  const counted: typeof counters = [];
  const forgive = (outcome: 'right' | 'unchecked', those: typeof counters) =>
    Promise.all(those.map(({ name }) => services.attempts.forgive(name, caller.address, outcome)));
  for (const counter of counters) {
    if ((await services.attempts.admit(counter.name, caller.address, true)) !== 'admitted') {
      await forgive('unchecked', counted);
      await recordProof(context, account, action, 'refused', 'locked');
      throw new PortalError('TOO_MANY_PROOFS');
    }
    counted.push(counter);
  }
  const reply = await call().catch(async error => {
    await forgive('unchecked', counted);
    throw error;
  });
  const { Succeed, Errors = {} } = reply.envelope;
  if (Succeed) await forgive('right', counted);
  else {
    await forgive(
      'unchecked',
      counted.filter(({ field }) => !Object.hasOwn(Errors, field)),
    );
    await recordProof(context, account, action, 'refused', `wrong ${Object.keys(Errors).join(', ') || 'moment'}`);
  }
  return reply;
}

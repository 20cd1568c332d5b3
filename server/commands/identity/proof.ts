import type { CloudReply } from '../../cloud/call.ts';
import { PortalError } from '../../errors.ts';
import { sessionOf, traceOf } from '../../operations/caller.ts';
import type { CommandContext } from '../command.ts';

/** Codes are counted apart from passwords, so that neither guess helps the other. */
export const codesOf = (username: string): string => `second factor of ${username}`;

/** What a call is told that it proves, by the fields of the cloud's refusal. */
export type Proves = readonly ('Password' | 'Code' | 'RecoveryCode')[];

/** Keeps what came of proving who one is; nothing of the proof is in it. */
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
 * Makes a call for which somebody who is signed in proves again who they are (OWASP ASVS 5.0, 7.5.1). What is given is
 * counted with the attempts to sign in, before it is judged: a session that is left open is no place to guess. Refusals
 * are recorded under `action`. Throws TOO_MANY_PROOFS, and what `call` throws.
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
  const forgive = (outcome: 'right' | 'unjudged', those: typeof counters) =>
    Promise.all(those.map(({ name }) => services.attempts.forgive(name, caller.address, outcome)));
  for (const counter of counters) {
    if ((await services.attempts.admit(counter.name, caller.address, true)) !== 'admitted') {
      await forgive('unjudged', counted);
      await recordProof(context, account, action, 'refused', 'locked');
      throw new PortalError('TOO_MANY_PROOFS');
    }
    counted.push(counter);
  }
  const reply = await call().catch(async error => {
    await forgive('unjudged', counted);
    throw error;
  });
  const { Succeed, Errors = {} } = reply.envelope;
  if (Succeed) await forgive('right', counted);
  else {
    await forgive(
      'unjudged',
      counted.filter(({ field }) => !Object.hasOwn(Errors, field)),
    );
    await recordProof(context, account, action, 'refused', `wrong ${Object.keys(Errors).join(', ') || 'moment'}`);
  }
  return reply;
}

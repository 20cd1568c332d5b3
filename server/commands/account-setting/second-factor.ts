import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import { readRecoveryCodes } from '../../cloud/accounts.ts';
import type { CloudReply } from '../../cloud/call.ts';
import { PortalError } from '../../errors.ts';
import { sessionOf } from '../../operations/caller.ts';
import { textOf } from '../../operations/text-of.ts';
import { isAppKey } from '../../session/strategies/password.ts';
import type { Command, CommandContext, CommandReply } from '../command.ts';
import { offerApp } from '../identity/authenticator-app.ts';
import { cancelStage } from '../identity/cancel-stage.ts';
import { recordProof, withProof } from '../identity/proof.ts';
import { showCodes } from '../identity/recovery-codes.ts';

/** Apps show codes in two halves. */
const codeOf = (value: unknown): string => textOf(value).replace(/\s/g, '');
/** A refusal of the cloud; what is wrong with a field is said there alone. */
function declined({ status, envelope }: CloudReply): CommandReply {
  if (envelope.Errors) throw new PortalError('FIELDS_INVALID', { errors: envelope.Errors });
  return { status, envelope };
}

/**
 * Ends the user's other sessions, and has the pages read anew what has changed (OWASP ASVS 5.0, 7.4.3); `more` is done
 * besides.
 */
async function changed(
  context: CommandContext,
  action: string,
  more: readonly ReplyEffect[] = [],
): Promise<CommandReply> {
  const { account, key } = sessionOf(context);
  await context.services.sessions.endAll(account, action, key);
  await recordProof(context, account, action, 'done');
  const effects = [{ do: 'refresh-operations', operations: ['mfa.status', 'sessions.mine'] }] as const;
  return { envelope: { Succeed: true, effects: [...effects, ...more] } };
}

/** As `changed`, with recovery codes, which are seen this once. */
function withCodes(context: CommandContext, action: string, { envelope }: CloudReply): Promise<CommandReply> {
  const { recoveryCodes } = readRecoveryCodes((envelope.Result ?? {}) as Readonly<Record<string, unknown>>);
  return changed(context, action, showCodes(recoveryCodes));
}

/** First stage of setting up an authenticator app: the password once more (document 1, section 4). */
export const mfaSetUp: Command = {
  declaration: {
    name: 'mfa.set-up',
    body: 'confirm-password',
    opens: ['configure-mfa'],
    requires: 'user-as-themselves',
  },
  async run(context) {
    const { body, services } = context;
    const { account, key: session, credentials } = sessionOf(context);
    const password = textOf(body.Password);
    const reply = await withProof(context, 'mfa.set-up', ['Password'], () =>
      services.secondFactors.setUp(credentials, { Password: password }),
    );
    if (!reply.envelope.Succeed) return declined(reply);
    const { manualEntryKey: key } = (reply.envelope.Result ?? {}) as { manualEntryKey?: unknown };
    if (typeof key !== 'string' || !isAppKey(key))
      throw new PortalError('UPSTREAM_GARBLED', { detail: 'key of an authenticator app' });
    const stage = await services.signInStages.open('set-up', { session, password, key });
    return { stage, envelope: { Succeed: true, effects: [{ do: 'close-popup' }, offerApp(context, account, key)] } };
  },
};

/** Second stage: a code of the app. The password of the first waits on the server, sealed, for ten minutes. */
export const mfaConfigure: Command = {
  declaration: {
    name: 'mfa.configure',
    body: 'mfa-code',
    opens: ['recovery-codes'],
    requires: 'user-as-themselves',
  },
  async run(context) {
    const { body, services, stage = '' } = context;
    const { account, key: session, credentials } = sessionOf(context);
    const waiting = await services.signInStages.find(stage, 'set-up');
    if (waiting?.session !== session) {
      await recordProof(context, account, 'mfa.set-up', 'refused', 'ended');
      throw new PortalError('STEP_OVER');
    }
    const proof = { Password: waiting.password, Key: waiting.key, Code: codeOf(body.Code) };
    const reply = await withProof(context, 'mfa.set-up', ['Password', 'Code'], () =>
      services.secondFactors.configure(credentials, proof),
    );
    if (!reply.envelope.Succeed) return declined(reply);
    await services.signInStages.close(stage);
    return { ...(await withCodes(context, 'mfa.set-up', reply)), stage: '' };
  },
};

/** Gives up setting up: the key that was offered stays an offer. */
export const mfaCancel: Command = {
  declaration: {
    name: 'mfa.cancel',
    requires: 'user-as-themselves',
  },
  run: context => cancelStage(context),
};

/** "Reset disables MFA for the user, then completes" (document 1, section 4): for the password and a code of either kind. */
export const mfaReset: Command = {
  declaration: {
    name: 'mfa.reset',
    body: 'reset-mfa',
    requires: 'user-as-themselves',
  },
  async run(context) {
    const { body, services } = context;
    const { credentials } = sessionOf(context);
    const second = body.Way === 'recovery' ? { RecoveryCode: textOf(body.RecoveryCode) } : { Code: codeOf(body.Code) };
    const proof = { Password: textOf(body.Password), ...second };
    const reply = await withProof(context, 'mfa.reset', Object.keys(proof) as (keyof typeof proof)[], () =>
      services.secondFactors.disable(credentials, proof),
    );
    return reply.envelope.Succeed ? changed(context, 'mfa.reset') : declined(reply);
  },
};

/** New recovery codes in the place of those that are left. */
export const mfaRecoveryCodes: Command = {
  declaration: {
    name: 'mfa.recovery-codes',
    body: 'new-recovery-codes',
    opens: ['recovery-codes'],
    requires: 'user-as-themselves',
  },
  async run(context) {
    const { body, services } = context;
    const { credentials } = sessionOf(context);
    const proof = { Password: textOf(body.Password), Code: codeOf(body.Code) };
    const reply = await withProof(context, 'mfa.recovery-codes', ['Password', 'Code'], () =>
      services.secondFactors.renewCodes(credentials, proof),
    );
    return reply.envelope.Succeed ? withCodes(context, 'mfa.recovery-codes', reply) : declined(reply);
  },
};

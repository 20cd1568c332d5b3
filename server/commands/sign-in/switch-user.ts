import { PortalError } from '../../errors.ts';
import { traceOf } from '../../operations/caller.ts';
import { landingOf } from '../../operations/landing.ts';
import type { Acting } from '../../session/acting.ts';
import { readIdentity } from '../../session/identity.ts';
import type { Session } from '../../session/session-cache.ts';
import type { Command, CommandContext, CommandReply } from '../command.ts';
import { askForView, openSession, refuseLocked, startAgain } from './open-session.ts';

/** After signing in, the one choice that the popup leaves: the session begins in the view that was chosen. */
async function choose(context: CommandContext, masterControl: boolean): Promise<CommandReply> {
  const waiting = await context.services.signInStages.take(context.stage, 'switch-user');
  if (!waiting) throw startAgain();
  const { signedIn, opening, type, returnTo } = waiting;
  await refuseLocked(context, signedIn.userName, signedIn.tokens).catch(error => {
    // The popup of the choice cannot be closed.
    throw error instanceof PortalError && error.code === 'TOO_MANY' ? startAgain('the account is locked') : error;
  });
  const acting: Acting = masterControl ? (opening.acting ?? {}) : { ...opening.acting, previousType: type };
  return openSession(context, signedIn, returnTo, { ...opening, acting });
}

/** Asks for the choice where signing in ended outside, at an identity provider. */
export const authPortalChoice: Command = {
  declaration: {
    name: 'auth.portal-choice',
    opens: ['switch-user'],
    requires: 'signed-out',
  },
  async run({ services, stage }) {
    const waiting = await services.signInStages.find(stage, 'switch-user');
    if (!waiting) throw startAgain();
    return { envelope: { Succeed: true, effects: askForView(waiting.type) } };
  },
};

async function record({ caller, services }: CommandContext, outcome: 'done' | 'refused', to: string): Promise<void> {
  await services.audit({
    action: 'session.switch',
    outcome,
    ...traceOf(caller),
    detail: { from: caller.principal.type, to },
  });
}

/** The session goes on in the other view, under an identifier of its own. */
async function change(context: CommandContext, session: Session, masterControl: boolean): Promise<CommandReply> {
  const { caller, services } = context;
  const { previousType, ...rest } = session.acting;
  // Choosing the panel that one is in changes nothing.
  if (masterControl && previousType === undefined)
    return { envelope: { Succeed: true, effects: [{ do: 'close-popup' }] } };
  const next: Acting = masterControl ? rest : { ...rest, previousType: caller.principal.type };
  const { principal, hasEndUserView } = await readIdentity(services.accounts, session.credentials, next);
  // From the end-user view one only comes back, and into it one only comes from one's own.
  const isThere = masterControl ? previousType !== undefined : previousType === undefined && hasEndUserView;
  if (!isThere) {
    await record(context, 'refused', principal.type);
    throw new PortalError('SWITCH_REFUSED');
  }
  const identifier = await services.sessions.replace(caller.identifier ?? '', principal, next);
  await record(context, 'done', principal.type);
  const to = landingOf(caller.version.access(principal), principal);
  return {
    session: identifier,
    envelope: {
      Succeed: true,
      Resources: { code: 'SESSION_CHANGED' },
      effects: [{ do: 'navigate', to, replace: true }],
    },
  };
}

/**
 * Opens the master or admin control panel (MasterControl) or the end-user view of one's own mailbox (document 1,
 * sections 2.5 and 4): at the end of signing in, or in the middle of a session.
 */
export const authSwitchUser: Command = {
  declaration: {
    name: 'auth.switch-user',
    body: 'switch-user',
    requires: { any: ['signed-out', { views: ['switchUser'] }, 'switched'] },
  },
  async run(context) {
    const masterControl = context.body.MasterControl !== false;
    const { session } = context.caller;
    return session ? change(context, session, masterControl) : choose(context, masterControl);
  },
};

import type { CommandContext, CommandReply } from './context.ts';

/** Ends the session of this browser, if it has one, and leads to the default sign-in. `why` is for the audit. */
export async function endSession({ caller, services }: CommandContext, why: string): Promise<CommandReply> {
  const { session, identifier, principal, address } = caller;
  if (session) {
    await services.sessions.end(session.key, why, identifier);
    await services.audit({
      action: 'session.sign-out',
      outcome: 'done',
      account: session.account,
      actor: principal.facts.actor,
      address,
      detail: { why },
    });
  }
  return {
    session: '',
    envelope: {
      Succeed: true,
      Resources: { code: 'SESSION_CHANGED' },
      effects: [{ do: 'navigate', to: '/login', replace: true }],
    },
  };
}

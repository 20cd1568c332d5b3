import { traceOf } from '../../operations/caller.ts';
import type { CommandContext, CommandReply } from '../command.ts';

/**
 * Ends this browser's session, if there is one, in every process and at the cloud. Gives the reply that clears its
 * cookies and leads to the default sign-in, which shows `notice`. `why` goes to the audit.
 */
export async function endSession(
  { caller, services }: Pick<CommandContext, 'caller' | 'services'>,
  why: string,
  notice?: string,
): Promise<CommandReply> {
  const { session, identifier } = caller;
  if (session) {
    await services.sessions.end(session.key, why, identifier);
    await services.audit({ action: 'session.sign-out', outcome: 'done', ...traceOf(caller), detail: { why } });
  }
  return {
    ...{ session: '', stage: '', singleExperience: '', signOn: '' },
    // Who is not signed in here may be at another portal that shares it.
    ...(session && { organisation: '' }),
    envelope: {
      Succeed: true,
      Resources: { code: 'SESSION_CHANGED' },
      effects: [{ do: 'navigate', to: notice ? `/login?notice=${notice}` : '/login', replace: true }],
    },
  };
}

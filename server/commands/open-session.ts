import { publicPrincipal } from '../access/principal.ts';
import type { SignedIn } from '../cloud/accounts.ts';
import type { Credentials } from '../cloud/call.ts';
import { PortalError } from '../errors.ts';
import { readIdentity } from '../session/identity.ts';
import type { CommandContext, CommandReply } from './context.ts';
import { landingOf } from './landing.ts';
import { readReturn } from './return-address.ts';

/** Before there is a session, its first token has to do. */
function firstCredentials({ tokens, userName }: SignedIn): Credentials {
  const ended = async (): Promise<never> => {
    throw new PortalError('SESSION_ENDED', { detail: 'the cloud refused a new token' });
  };
  return { actor: userName, token: () => tokens.access, renew: ended, end: async () => undefined };
}

/** Opens a session under a new identifier; `wanted` is where the user was going. */
export async function openSession(
  { caller, services }: CommandContext,
  signedIn: SignedIn,
  wanted: unknown,
): Promise<CommandReply> {
  const { principal, hasRecord } = await readIdentity(services.accounts, firstCredentials(signedIn));
  const { address, device, version } = caller;
  const session = await services.sessions.open(signedIn.userName, signedIn.tokens, principal, { address, device });
  await services.audit({
    action: 'session.sign-in',
    outcome: 'done',
    account: signedIn.userName,
    address,
    device,
  });
  const access = version.access(principal);
  const asked = readReturn(wanted, version, access, version.access(publicPrincipal));
  // Document 1, section 7: an account without a permissions record goes to the permission-error page.
  const to = hasRecord ? (asked ?? landingOf(access, principal)) : '/permission-error';
  return {
    session,
    envelope: {
      Succeed: true,
      Resources: { code: 'SESSION_CHANGED' },
      effects: [{ do: 'navigate', to, replace: true }],
    },
  };
}

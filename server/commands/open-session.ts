import { publicPrincipal } from '../access/principal.ts';
import type { SignedIn } from '../cloud/accounts.ts';
import type { Credentials } from '../cloud/call.ts';
import { PortalError } from '../errors.ts';
import type { Opening } from '../session/entry.ts';
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

type Context = Pick<CommandContext, 'caller' | 'services'>;

/** Opens a session under a new identifier; `wanted` is where the user was going, `to` where the user goes. */
export async function letIn(
  { caller, services }: Context,
  signedIn: SignedIn,
  wanted: unknown,
  opening: Opening = {},
): Promise<{ readonly session: string; readonly to: string }> {
  const { principal, hasRecord } = await readIdentity(services.accounts, firstCredentials(signedIn));
  const { address, device, version } = caller;
  const { userName, tokens } = signedIn;
  const session = await services.sessions.open(userName, tokens, principal, { ...opening, address, device });
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
  return { session, to: hasRecord ? (asked ?? landingOf(access, principal)) : '/permission-error' };
}

/** As `letIn`, for a command: the browser forgets who it was and goes on. */
export async function openSession(
  context: Context,
  signedIn: SignedIn,
  wanted: unknown,
  opening?: Opening,
): Promise<CommandReply> {
  const { session, to } = await letIn(context, signedIn, wanted, opening);
  return {
    session,
    envelope: {
      Succeed: true,
      Resources: { code: 'SESSION_CHANGED' },
      effects: [{ do: 'navigate', to, replace: true }],
    },
  };
}

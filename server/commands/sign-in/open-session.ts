import type { UserType } from '../../../shared/contract/boot.ts';
import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import { publicPrincipal } from '../../access/principal.ts';
import type { SignedIn, Tokens } from '../../cloud/accounts.ts';
import type { Credentials } from '../../cloud/call.ts';
import { PortalError } from '../../errors.ts';
import { landingOf } from '../../operations/landing.ts';
import { readReturn } from '../../operations/return-address.ts';
import { textOf } from '../../operations/text-of.ts';
import { type Identity, readIdentity } from '../../session/identity.ts';
import type { Opening } from '../../session/session-cache.ts';
import { signInWayOf } from '../../session/sign-in-way.ts';
import { signOnOf } from '../../session/sign-ons.ts';
import type { CommandContext, CommandReply } from '../command.ts';
import type { CookiesToSet } from '../cookies-to-set.ts';
import { showCodes } from '../identity/recovery-codes.ts';

/** Credentials for the calls before there is a session: the new token, which cannot be renewed. */
function firstCredentials({ tokens, userName }: SignedIn, address: string): Credentials {
  const ended = async (): Promise<never> => {
    throw new PortalError('SESSION_ENDED', { detail: 'the cloud refused a new token' });
  };
  return { address, actor: userName, token: () => tokens.access, renew: ended, end: async () => undefined };
}

type Context = Pick<CommandContext, 'caller' | 'services'>;

/**
 * Refuses a locked account that signs in without its password (by a link, a partner or a jump); counts no failed
 * attempt. Signs out `tokens`, which the cloud has made already.
 * @throws {PortalError} TOO_MANY
 */
export async function refuseLocked(
  { caller: { address }, services: { accounts, attempts } }: Context,
  userName: string,
  tokens?: Tokens,
): Promise<void> {
  const isAdmitted = (await attempts.admit(userName, address, true)) === 'admitted';
  if (isAdmitted) return attempts.forgive(userName, address, 'unchecked');
  if (tokens) void accounts.signOut(tokens, userName).catch(() => undefined);
  throw new PortalError('TOO_MANY', { detail: 'the account is locked' });
}

/**
 * Reads who has signed in. An account that its organisation does not let in from there is signed out at the cloud, which
 * has made its tokens already.
 */
async function readFirstIdentity(
  { caller: { address }, services: { accounts } }: Context,
  signedIn: SignedIn,
  { acting }: Opening,
): Promise<Identity> {
  try {
    return await readIdentity(accounts, firstCredentials(signedIn, address), acting);
  } catch (error) {
    if (error instanceof PortalError && error.code === 'ADDRESS_NOT_ALLOWED')
      void accounts.signOut(signedIn.tokens, signedIn.userName).catch(() => undefined);
    throw error;
  }
}

/** The cookies of a new session and the address to go to. */
export type StartedSession = CookiesToSet & {
  readonly to: string;
  /** True when `to` is an address outside of the portal. */
  readonly isOutside: boolean;
};

async function open(
  { caller, services }: Context,
  signedIn: SignedIn,
  wanted: unknown,
  opening: Opening,
  { principal, hasRecord }: Identity,
): Promise<StartedSession> {
  const { address, device, version } = caller;
  const { userName, tokens } = signedIn;
  const session = await services.sessions.open(userName, tokens, principal, { ...opening, address, device });
  await services.audit({
    action: 'session.sign-in',
    outcome: 'done',
    ...{ account: userName, actor: principal.facts.actor, address, device },
    detail: { type: principal.type, way: signInWayOf(opening) },
  });
  const access = version.access(principal);
  const asked = readReturn(wanted, version, access, version.access(publicPrincipal));
  // Document 1, section 7: an account without a permissions record goes to the permission-error page.
  const to = hasRecord ? (asked ?? landingOf(access, principal)) : '/permission-error';
  const { home } = principal;
  const organisation = principal.facts.organisationId;
  return {
    session,
    ...(caller.stage !== undefined && { stage: '' }),
    organisation,
    to,
    isOutside: to === home,
    signOn: opening.connection === undefined ? '' : signOnOf(session),
    ...(home !== undefined && { singleExperience: '1' }),
  };
}

/** Makes the reply of a command that sets the cookies and sends the browser to its address. */
const replyWithSession = ({ to, isOutside, ...kept }: StartedSession): CommandReply => ({
  ...kept,
  envelope: {
    Succeed: true,
    Resources: { code: 'SESSION_CHANGED' },
    effects: [isOutside ? { do: 'leave', to } : { do: 'navigate', to, replace: true }],
  },
});

/**
 * Opens a session with a new identifier and records the sign-in. `wanted` is the address that the user came for; an
 * address that is not allowed is ignored. Gives the cookies to set and the address to go to.
 */
export async function startSession(
  context: Context,
  signedIn: SignedIn,
  wanted: unknown,
  opening: Opening = {},
): Promise<StartedSession> {
  const identity = await readFirstIdentity(context, signedIn, opening);
  return open(context, signedIn, wanted, opening, identity);
}

/** Opens a session as `startSession`, and gives the reply of the command. */
export async function openSession(
  context: Context,
  signedIn: SignedIn,
  wanted: unknown,
  opening?: Opening,
): Promise<CommandReply> {
  return replyWithSession(await startSession(context, signedIn, wanted, opening));
}

/**
 * Opens a session as `startSession`. For a user who may choose between two views (document 1, section 4) it opens the
 * sign-in stage `switch-user` instead, and gives that stage's identifier and the user type.
 */
export async function startSessionOrAskView(
  context: Context,
  { recoveryCodes: _, ...signedIn }: SignedIn,
  wanted: unknown,
  opening: Opening = {},
): Promise<StartedSession | { readonly stage: string; readonly type: UserType }> {
  const { signInStages: stages } = context.services;
  const identity = await readFirstIdentity(context, signedIn, opening);
  if (!identity.hasEndUserView) return open(context, signedIn, wanted, opening, identity);
  const { type } = identity.principal;
  return { stage: await stages.open('switch-user', { signedIn, opening, type, returnTo: textOf(wanted) }), type };
}

/** Effects that open the popup in which the user chooses a view. */
export const askForView = (type: UserType): readonly ReplyEffect[] => [
  { do: 'close-popup' },
  { do: 'open-popup', popup: 'switch-user', with: { isAdmin: { value: type === 'endUserAdmin' } } },
];

/**
 * Opens a session as `startSessionOrAskView`, and gives the reply of the sign-in command: to the page after it, or, for
 * a user who may choose between two views, to the popup that asks which.
 */
export async function openSessionOrAskView(
  context: Context,
  signedIn: SignedIn,
  wanted: unknown,
  opening?: Opening,
): Promise<CommandReply> {
  const found = await startSessionOrAskView(context, signedIn, wanted, opening);
  if ('to' in found) return replyWithSession(found);
  return { stage: found.stage, envelope: { Succeed: true, effects: askForView(found.type) } };
}

/**
 * Opens a session as `openSessionOrAskView`. If the user set up an authenticator app during this sign-in, it first
 * opens the stage `recovery-codes` and replies with the recovery codes, which no other reply repeats.
 */
export async function openSessionOrShowCodes(
  context: Context,
  signedIn: SignedIn,
  wanted: unknown,
  opening: Opening = {},
): Promise<CommandReply> {
  const { recoveryCodes: codes, ...rest } = signedIn;
  if (!codes) return openSessionOrAskView(context, signedIn, wanted, opening);
  const stage = await context.services.signInStages.open('recovery-codes', {
    signedIn: rest,
    opening,
    returnTo: textOf(wanted),
  });
  return { stage, envelope: { Succeed: true, effects: showCodes(codes) } };
}

/**
 * Makes the error for a sign-in stage that is over, with an effect that leads to `/login`, which says so: the popup of
 * the stage cannot be closed. `detail` goes to the log.
 */
export const startAgain = (detail = 'no last question is waited for'): PortalError =>
  new PortalError('STEP_ENDED', {
    detail,
    effects: [{ do: 'navigate', to: '/login?notice=step-ended', replace: true }],
  });

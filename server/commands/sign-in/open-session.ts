import type { UserType } from '../../../shared/contract/boot.ts';
import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import { publicPrincipal } from '../../access/principal.ts';
import type { SignedIn, Tokens } from '../../cloud/accounts.ts';
import type { Credentials } from '../../cloud/call.ts';
import { PortalError } from '../../errors.ts';
import { landingOf } from '../../operations/landing.ts';
import { textOf } from '../../operations/text-of.ts';
import { type Identity, readIdentity } from '../../session/identity.ts';
import type { Opening } from '../../session/session-cache.ts';
import type { CommandContext, CommandReply } from '../command.ts';
import type { CookiesToSet } from '../cookies-to-set.ts';
import { showCodes } from '../identity/recovery-codes.ts';
import { readReturn } from '../identity/return-address.ts';

/** Before there is a session, its first token has to do. */
function firstCredentials({ tokens, userName }: SignedIn): Credentials {
  const ended = async (): Promise<never> => {
    throw new PortalError('SESSION_ENDED', { detail: 'the cloud refused a new token' });
  };
  return { actor: userName, token: () => tokens.access, renew: ended, end: async () => undefined };
}

type Context = Pick<CommandContext, 'caller' | 'services'>;

/**
 * A locked account stays locked, whichever way somebody comes who gave no password for it just now: the cloud is told
 * that the tokens it made are not used. Throws TOO_MANY.
 */
export async function refuseLocked(
  { caller: { address }, services: { accounts, attempts } }: Context,
  userName: string,
  tokens?: Tokens,
): Promise<void> {
  const isAdmitted = (await attempts.admit(userName, address, true)) === 'admitted';
  if (isAdmitted) return attempts.forgive(userName, address, 'unjudged');
  if (tokens) void accounts.signOut(tokens, userName).catch(() => undefined);
  throw new PortalError('TOO_MANY', { detail: 'the account is locked' });
}

/** Where somebody goes who was let in, with what the browser keeps. */
export type LetIn = CookiesToSet & {
  readonly to: string;
  /** True where that is outside. */
  readonly isOutside: boolean;
};

async function open(
  { caller, services }: Context,
  signedIn: SignedIn,
  wanted: unknown,
  opening: Opening,
  { principal, hasRecord }: Identity,
): Promise<LetIn> {
  const { address, device, version } = caller;
  const { userName, tokens } = signedIn;
  const session = await services.sessions.open(userName, tokens, principal, { ...opening, address, device });
  await services.audit({
    action: 'session.sign-in',
    outcome: 'done',
    ...{ account: userName, actor: principal.facts.actor, address, device },
    detail: { type: principal.type },
  });
  const access = version.access(principal);
  const asked = readReturn(wanted, version, access, version.access(publicPrincipal));
  // Document 1, section 7: an account without a permissions record goes to the permission-error page.
  const to = hasRecord ? (asked ?? landingOf(access, principal)) : '/permission-error';
  const { home } = principal;
  const organisation = principal.facts.organisationId;
  return {
    session,
    ...(caller.step !== undefined && { step: '' }),
    organisation,
    to,
    isOutside: to === home,
    ...(home !== undefined && { singleExperience: '1' }),
  };
}

/** The browser forgets who it was and goes on. */
const goOn = ({ to, isOutside, ...kept }: LetIn): CommandReply => ({
  ...kept,
  envelope: {
    Succeed: true,
    Resources: { code: 'SESSION_CHANGED' },
    effects: [isOutside ? { do: 'leave', to } : { do: 'navigate', to, replace: true }],
  },
});

/** Opens a session under a new identifier; `wanted` is where the user was going. */
export async function letIn(
  context: Context,
  signedIn: SignedIn,
  wanted: unknown,
  opening: Opening = {},
): Promise<LetIn> {
  const { accounts } = context.services;
  const identity = await readIdentity(accounts, firstCredentials(signedIn), opening.acting);
  return open(context, signedIn, wanted, opening, identity);
}

/** As `letIn`, for a command. */
export async function openSession(
  context: Context,
  signedIn: SignedIn,
  wanted: unknown,
  opening?: Opening,
): Promise<CommandReply> {
  return goOn(await letIn(context, signedIn, wanted, opening));
}

/** As `letIn`; but for who may switch user a step is opened, at which they choose a view (document 1, section 4). */
export async function letInOrAsk(
  context: Context,
  { recoveryCodes: _, ...signedIn }: SignedIn,
  wanted: unknown,
  opening: Opening = {},
): Promise<LetIn | { readonly step: string; readonly type: UserType }> {
  const { accounts, signInStages: steps } = context.services;
  const identity = await readIdentity(accounts, firstCredentials(signedIn), opening.acting);
  if (!identity.hasEndUserView) return open(context, signedIn, wanted, opening, identity);
  const { type } = identity.principal;
  return { step: await steps.open('switch-user', { signedIn, opening, type, returnTo: textOf(wanted) }), type };
}

/** Effects that ask which view to open. */
export const askForView = (type: UserType): readonly ReplyEffect[] => [
  { do: 'close-popup' },
  { do: 'open-popup', popup: 'switch-user', with: { isAdmin: { value: type === 'endUserAdmin' } } },
];

/** As `letInOrAsk`, for a command. */
export async function openChosenSession(
  context: Context,
  signedIn: SignedIn,
  wanted: unknown,
  opening?: Opening,
): Promise<CommandReply> {
  const found = await letInOrAsk(context, signedIn, wanted, opening);
  if ('to' in found) return goOn(found);
  return { step: found.step, envelope: { Succeed: true, effects: askForView(found.type) } };
}

/**
 * As `openChosenSession`; but the recovery codes of an app that was set up on the way are shown first. They are in this
 * reply alone.
 */
export async function openKeptSession(
  context: Context,
  signedIn: SignedIn,
  wanted: unknown,
  opening: Opening = {},
): Promise<CommandReply> {
  const { recoveryCodes: codes, ...rest } = signedIn;
  if (!codes) return openChosenSession(context, signedIn, wanted, opening);
  const step = await context.services.signInStages.open('recovery-codes', {
    signedIn: rest,
    opening,
    returnTo: textOf(wanted),
  });
  return { step, envelope: { Succeed: true, effects: showCodes(codes) } };
}

/** The step of a last question is over, as `detail` says to the log. Its popup cannot be closed, so `/login` says why. */
export const startAgain = (detail = 'no last question is waited for'): PortalError =>
  new PortalError('STEP_ENDED', {
    detail,
    effects: [{ do: 'navigate', to: '/login?notice=step-ended', replace: true }],
  });

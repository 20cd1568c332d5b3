import { type ErrorCode, PortalError } from '../../errors.ts';
import { traceOf } from '../../operations/caller.ts';
import type { ConnectionName, Destination } from '../../session/identity-provider.ts';
import type { StageContent } from '../../session/sign-in-stages.ts';
import type { CommandContext, CommandReply } from '../command.ts';
import type { CookiesToSet } from '../cookies-to-set.ts';
import { refuseLocked, startSessionOrAskView } from './open-session.ts';
import { popupFor } from './sign-on-popups.ts';

type Context = Pick<CommandContext, 'caller' | 'services'>;
type Wanted = Omit<Destination, 'redirectUri'> & { readonly returnTo: string };

/** The grant by which the cloud takes the tokens of a connection (document 1, section 7). */
const grants = { sso: 'sso', office: 'aad' } as const;

/**
 * Sends the browser to an identity provider (single sign-on). A cookie ties the provider's answer to this browser; it
 * is valid once.
 * @throws {PortalError} SIGN_IN_ELSEWHERE for a provider that is not configured, and as `IdentityProvider.begin`
 */
export async function beginSignOn(
  { services }: Pick<Context, 'services'>,
  connection: ConnectionName,
  { returnTo, ...destination }: Wanted,
): Promise<CommandReply> {
  const provider = services.identityProviders[connection];
  if (!provider) throw new PortalError('SIGN_IN_ELSEWHERE');
  const redirectUri = `${services.ownOrigin()}/auth/callback`;
  const { address, trip } = await provider.begin({ redirectUri, ...destination });
  return {
    trip: {
      state: trip.state,
      identifier: await services.signInStages.open('sign-on', { ...trip, connection, returnTo }),
    },
    stage: '',
    envelope: { Succeed: true, effects: [{ do: 'leave', to: address }] },
  };
}

/** What a browser that comes back brings with it. */
type Brought = {
  /** Names the round trip that it is on. */
  readonly trip: string | undefined;
  /** True where its user landed on the single-experience dashboard the last time. */
  readonly isSingleExperience: boolean;
};

/** Where a browser goes that has come back, and what it keeps. */
export type CameBack = CookiesToSet & { readonly to: string };

/** `/login`, where a failure is shown (document 1, section 8), on the way to where the user was going. */
const loginWith = (returnTo: string): string =>
  `/login?${new URLSearchParams({ signOn: 'failed', ...(returnTo !== '' && { return: returnTo }) })}`;

/** Of who lands on the dashboard a failure is shown on its error page, but for what has a way on at the sign-in. */
async function giveUp(
  context: Context,
  { isSingleExperience }: Brought,
  failure: StageContent['sign-on-failed'],
  why = failure.code ?? 'unknown',
): Promise<CameBack> {
  await record(context, failure.connection, why);
  const { dashboardErrorUrl, signInStages: stages } = context.services;
  const hasNoWayOn = popupFor(failure.message) === 'sso-failed';
  // It is not tried again by itself.
  if (dashboardErrorUrl !== undefined && isSingleExperience && hasNoWayOn)
    return { to: dashboardErrorUrl, stage: '', signOn: '' };
  const stage = await stages.open('sign-on-failed', failure);
  return { to: loginWith(failure.returnTo), stage, signOn: '' };
}

/**
 * Sends a browser whose session has timed out back to the identity provider that it signed in by, so that whoever is
 * signed in there goes on where they were without typing anything. Undefined where it signed in by a password, its session
 * was ended on purpose, it asks too often, or the provider is out of reach: the sign-in page is shown then.
 * @param cookie names the sign-on of the browser
 */
export async function signOnAgain(
  context: Context,
  cookie: string | undefined,
  returnTo: string,
): Promise<CameBack | undefined> {
  const { caller, services } = context;
  if (!(await services.attempts.admitLookup(caller.address))) return undefined;
  const last = await services.sessions.lastSignOn(cookie);
  if (!last) return undefined;
  try {
    const { connection, account: username } = last;
    const { trip, envelope } = await beginSignOn(context, connection, { username, returnTo });
    const [effect] = envelope.effects ?? [];
    return effect?.do === 'leave' ? { to: effect.to, trip } : undefined;
  } catch (error) {
    if (!(error instanceof PortalError) || error.code === 'STORE_DOWN') throw error;
    return undefined;
  }
}

const record = ({ caller, services }: Context, by: string, why: string): Promise<void> =>
  services.audit({
    action: 'session.sign-in',
    outcome: 'refused',
    ...traceOf(caller),
    // Anyone can lead a browser here: nothing of it is laid to whoever is signed in.
    account: undefined,
    detail: { by, why },
  });

/**
 * Handles the browser's return from an identity provider: exchanges its code for an id token, that for the cloud's
 * tokens, and opens a session. Failures are stored for the browser and shown at `/login`, or shown by the dashboard.
 * @throws {PortalError} STORE_DOWN
 */
export async function finishSignOn(context: Context, brought: Brought, query: string): Promise<CameBack> {
  const { services } = context;
  const waiting = await services.signInStages.find(brought.trip, 'sign-on');
  const isExpected = waiting !== undefined && new URLSearchParams(query).get('state') === waiting.state;
  const trip = isExpected ? await services.signInStages.take(brought.trip, 'sign-on') : undefined;
  if (!trip) {
    // Anyone can lead a browser here: the round trip that it may be on goes on.
    await record(context, 'unknown', 'not expected by this browser');
    return { to: loginWith('') };
  }
  return { ...(await followAnswer(context, brought, trip, query)), trip: { state: trip.state, identifier: '' } };
}

/** Opens the session that the provider's answer is good for, or says why there is none. */
async function followAnswer(
  context: Context,
  brought: Brought,
  trip: StageContent['sign-on'],
  query: string,
): Promise<CameBack> {
  const { caller, services } = context;
  const { connection, returnTo } = trip;
  const fail = (code: ErrorCode) => giveUp(context, brought, { connection, returnTo, code });
  const refuse = (message: string, why: string) => giveUp(context, brought, { connection, returnTo, message }, why);
  try {
    const answer = await services.identityProviders[connection]?.finish(query, trip);
    if (!answer) return await fail('SIGN_IN_ELSEWHERE');
    if ('refused' in answer) {
      // A provider denies a sign-in that its user cancels as it denies one that it refuses.
      const isCancelled = answer.isDenied === true && popupFor(answer.refused) === 'sso-failed';
      return isCancelled ? await fail('SIGN_ON_DENIED') : await refuse(answer.refused, 'refused by the provider');
    }
    const { idToken } = answer;
    const opened = await services.accounts.signOn(grants[connection], idToken);
    if ('refused' in opened) {
      if (opened.refused !== 'link_account_needed') return await refuse(opened.refused, 'refused by the cloud');
      const stage = await services.signInStages.open('work-account', { adtoken: idToken, returnTo });
      return { to: '/link-account', stage };
    }
    await refuseLocked(context, opened.userName, opened.tokens);
    const found = await startSessionOrAskView(context, opened, returnTo, { connection });
    if (caller.session) await services.sessions.end(caller.session.key, 'signed in anew', caller.identifier);
    if (!('to' in found)) return { to: '/login?signOn=choose', session: '', stage: found.stage };
    const { isOutside: _, ...opening } = found;
    return { ...opening, stage: '' };
  } catch (error) {
    if (!(error instanceof PortalError) || error.code === 'STORE_DOWN') throw error;
    services.log.warn(
      { reference: caller.reference, code: error.code, detail: error.parts.detail, connection },
      'a sign-on failed',
    );
    return await fail(error.code);
  }
}

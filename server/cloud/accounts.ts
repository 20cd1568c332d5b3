import type { Operation } from '../../shared/language/types.ts';
import { defaultLocale } from '../../shared/rules/text.ts';
import { PortalError } from '../errors.ts';
import { type Brand, createBrands } from './brands.ts';
import type { CloudReply, Credentials, WordRefusal } from './call.ts';
import type { HttpReply } from './exchange.ts';
import type { Cloud } from './gate.ts';
import { readObject } from './outcome.ts';

/** The cloud's tokens; they never leave the server. Moments are epoch milliseconds. */
export type Tokens = {
  readonly access: string;
  readonly refresh: string;
  /** From here on the access token is exchanged before it is used. */
  readonly renewAt: number;
  readonly expiresAt: number;
};

/** `actor`: user name of who really acts, by a jump. */
export type SignedIn = {
  readonly tokens: Tokens;
  readonly userName: string;
  readonly actor?: string;
  /** Of an authenticator app that was set up on the way; seen this once. */
  readonly recoveryCodes?: readonly string[];
};
/** What the auth service says to a sign-in that it refuses. */
export type Refused = { readonly refused: string };

/** A code of an authenticator app, and the key that it is of while the app is being set up; or a recovery code. */
export type SecondFactor = { readonly key: string; readonly code: string; readonly recovery?: string };

/** The calls about accounts that the portal makes on its own (document 1, section 7). */
export type Accounts = {
  signIn(username: string, password: string, second?: SecondFactor): Promise<SignedIn | Refused>;
  /** Lets in whom an identity provider has signed in, by the token that it made (grants `sso` and `aad`). */
  signOn(grant: 'sso' | 'aad', token: string): Promise<SignedIn | Refused>;
  /** Links a work account to the account of a password. The codes are those of SignedIn. */
  linkWorkAccount(
    given: { readonly username: string; readonly password: string; readonly adtoken: string },
    second?: SecondFactor,
  ): Promise<(Refused & { readonly said: string }) | Pick<SignedIn, 'recoveryCodes'>>;
  /** Signs in as another, by a token that works once and the id of the administrator that it was made for. */
  jump(cmtoken: string, adminid: string): Promise<SignedIn | Refused>;
  /** Gives undefined when the grant is refused. */
  exchangeTokens(refresh: string): Promise<Tokens | undefined>;
  loginFlow(username: string): Promise<'SSO' | 'Legacy' | 'Unknown'>;
  signOut(tokens: Tokens, actor: string): Promise<void>;
  /** Ends the sessions at the communications and hardware systems. */
  endPartnerSessions(tokens: Tokens, actor: string): Promise<void>;
  loginUser(credentials: Credentials): Promise<Readonly<Record<string, unknown>>>;
  /** Throws PERMISSION_NOT_FOUND for an account without a record. */
  permissions(credentials: Credentials): Promise<Readonly<Record<string, unknown>>>;
  /** Tells in which time zone the browser of the account is; by itself, so failures are nobody's business. */
  noteTimeZone(credentials: Credentials, timeZone: string): Promise<void>;
  displaySettings(credentials: Credentials): Promise<Readonly<Record<string, unknown>>>;
  /** The other systems of the operator, each with whether the account is linked to it. */
  partnerSystems(credentials: Credentials): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** The brand that the account sees; undefined for the portal's own look. */
  brand(credentials: Credentials): Promise<Brand | undefined>;
  /** True unless the cloud says that the reseller agreement need not be signed now. */
  mustSignNow(credentials: Credentials): Promise<boolean>;
  signAgreement(
    credentials: Credentials,
    agreementId: string,
    body: Readonly<Record<string, unknown>>,
    wordRefusal: WordRefusal,
  ): Promise<CloudReply>;
  /** Where those land whose token claims single experience; undefined where it is not configured. */
  readonly singleExperienceUrl: string | undefined;
  /** False where the portal has no live chat to open. */
  readonly hasLiveChat: boolean;
  /** In which numbers, dates and money are written for those who sign in. */
  readonly locale: string;
  /** Where the cloud's hub is and the token for it; undefined when it refuses or does not answer. */
  negotiate(credentials: Credentials): Promise<{ readonly url: string; readonly token: string } | undefined>;
};

const get = (path: string): Operation => ({ service: 'cloud', method: 'GET', path });
const calls = {
  loginUser: get('/api/users/login-user'),
  permissions: get('/api/permissions'),
  display: get('/api/account-settings/display'),
  systems: get('/api/partner-systems'),
  timeZone: { service: 'cloud', method: 'PUT', path: '/api/account-settings/region/browser' },
  negotiate: get('/api/notifications/negotiate'),
  validity: get('/api/agreements/reseller-validity'),
  sign: {
    service: 'cloud',
    method: 'POST',
    path: '/api/agreements/{agreementId}/sign',
    with: { agreementId: { type: 'string' } },
  },
  comms: { service: 'cloud', method: 'POST', path: '/api/comms/logout' },
  logout: { service: 'auth', method: 'POST', path: '/auth/logout' },
  loginFlow: { service: 'auth', method: 'GET', path: '/auth/login-flow', with: { username: { type: 'string' } } },
} as const satisfies Record<string, Operation>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Reads the claims of an access token of the cloud, without verifying it; `{}` where it cannot be read. */
export function claimsOf(access: string): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return isObject(claims) ? claims : {};
  } catch {
    return {};
  }
}

/** The expiry claim of an access token (document 1, section 5), read only to know when to renew it. */
function expiryOf(access: string): number | undefined {
  const { exp } = claimsOf(access);
  return typeof exp === 'number' ? exp * 1000 : undefined;
}

/** Reads the tokens of a token reply, at a moment. @throws {PortalError} UPSTREAM_GARBLED */
export function readTokens(reply: Readonly<Record<string, unknown>>, now: number): Tokens {
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = reply;
  if (typeof access !== 'string' || typeof refresh !== 'string' || typeof seconds !== 'number')
    throw new PortalError('UPSTREAM_GARBLED', { detail: 'token reply' });
  const expiresAt = Math.min(now + seconds * 1000, expiryOf(access) ?? Number.POSITIVE_INFINITY);
  return { access, refresh, expiresAt, renewAt: now + (expiresAt - now) * 0.8 };
}

/**
 * Reads the recovery codes from a token reply of the cloud; `{}` when it has none, since a cloud need not have them.
 */
export function readRecoveryCodes(wire: Readonly<Record<string, unknown>>): Pick<SignedIn, 'recoveryCodes'> {
  const { recoveryCodes } = wire;
  const codes = Array.isArray(recoveryCodes) ? recoveryCodes.filter(code => typeof code === 'string') : [];
  return codes.length === 0 ? {} : { recoveryCodes: codes.slice(0, 50).map(code => code.slice(0, 40)) };
}

/** A second factor as the auth service takes it. */
function wireOf({ key, code, recovery }: SecondFactor = { key: '', code: '' }): Readonly<Record<string, string>> {
  return { mfaKey: key, mfaToken: code, ...(recovery !== undefined && { mfaRecoveryCode: recovery }) };
}

/** What a browser's form would tell about its window; the portal's server has none. */
const noWindow = { width: '0', height: '0', client_id: 'portal' };

/** Tokens in place of a session that is already gone. */
const lastCredentials = ({ access }: Tokens, actor: string): Credentials => ({
  actor,
  token: () => access,
  renew: async () => access,
  end: async () => undefined,
});

/**
 * Creates the client for the cloud's sign-in: tokens for passwords, jumps and identity providers, and a user's rights.
 */
export function createAccounts(
  cloud: Cloud,
  now: () => number,
  {
    singleExperienceUrl,
    hasLiveChat = false,
    locale = defaultLocale,
  }: Partial<Pick<Accounts, 'singleExperienceUrl' | 'hasLiveChat' | 'locale'>> = {},
): Accounts {
  const read = async (operation: Operation, credentials: Credentials): Promise<Readonly<Record<string, unknown>>> => {
    const { envelope } = await cloud.call({ operation, parameters: {}, credentials, isOfRights: true });
    if (!envelope.Succeed || !isObject(envelope.Result))
      throw new PortalError('UPSTREAM_FAILED', { detail: operation.path });
    return envelope.Result;
  };
  const readSignedIn = (reply: HttpReply, username: string): SignedIn | Refused => {
    const wire = readObject(reply);
    if (reply.status === 400 || reply.status === 401)
      return { refused: typeof wire.error_description === 'string' ? wire.error_description : '' };
    if (reply.status !== 200) throw new PortalError('UPSTREAM_FAILED', { detail: `token endpoint ${reply.status}` });
    const userName = typeof wire.userName === 'string' ? wire.userName : username;
    if (userName === '') throw new PortalError('UPSTREAM_GARBLED', { detail: 'no user name in the token reply' });
    return {
      tokens: readTokens(wire, now()),
      userName,
      ...(typeof wire.actor === 'string' && { actor: wire.actor }),
      ...readRecoveryCodes(wire),
    };
  };
  const grant = async (form: Readonly<Record<string, string>>, username = ''): Promise<SignedIn | Refused> =>
    readSignedIn(await cloud.post('/auth/token', { ...form, ...noWindow }), username);
  return {
    singleExperienceUrl,
    hasLiveChat,
    locale,
    signIn: (username, password, second) =>
      grant({ grant_type: 'password', username, password, ...wireOf(second) }, username),
    jump: (cmtoken, adminid) => grant({ grant_type: 'password', cmtoken, adminid }),
    signOn: (kind, token) =>
      grant({ grant_type: kind, ...(kind === 'sso' ? { id_token: token } : { adtoken: token }) }),
    async linkWorkAccount(given, second) {
      const reply = await cloud.post('/auth/azuread-account-link', { ...given, ...wireOf(second), ...noWindow });
      if (reply.status === 200) return readRecoveryCodes(readObject(reply));
      if (reply.status !== 400) throw new PortalError('UPSTREAM_FAILED', { detail: `account link ${reply.status}` });
      const { Message, error_description } = readObject(reply);
      return {
        refused: typeof error_description === 'string' ? error_description : '',
        said: typeof Message === 'string' ? Message.slice(0, 300) : '',
      };
    },
    async exchangeTokens(refresh) {
      const reply = await cloud.post('/auth/token', {
        grant_type: 'refresh_token',
        refresh_token: refresh,
        ...noWindow,
      });
      if (reply.status === 400 || reply.status === 401) return undefined;
      if (reply.status !== 200) throw new PortalError('UPSTREAM_FAILED', { detail: `token endpoint ${reply.status}` });
      return readTokens(readObject(reply), now());
    },
    async loginFlow(username) {
      const { envelope } = await cloud.call({ operation: calls.loginFlow, parameters: { username } });
      const flow = isObject(envelope.Result) ? envelope.Result.loginFlow : undefined;
      if (flow === 'SSO' || flow === 'Legacy') return flow;
      return 'Unknown';
    },
    async signOut(tokens, actor) {
      await cloud.call({
        operation: calls.logout,
        parameters: {},
        body: { refresh_token: tokens.refresh },
        credentials: lastCredentials(tokens, actor),
        bare: true,
      });
    },
    async endPartnerSessions(tokens, actor) {
      const credentials = lastCredentials(tokens, actor);
      await cloud.call({ operation: calls.comms, parameters: {}, credentials, bare: true });
    },
    mustSignNow: async credentials => (await read(calls.validity, credentials)).MustSignNow !== false,
    signAgreement: (credentials, agreementId, body, wordRefusal) =>
      cloud.call({ operation: calls.sign, parameters: { agreementId }, body, credentials, wordRefusal }),
    loginUser: credentials => read(calls.loginUser, credentials),
    async partnerSystems(credentials) {
      const { envelope } = await cloud.call({
        operation: calls.systems,
        parameters: {},
        credentials,
        isOfRights: true,
      });
      return Array.isArray(envelope.Result) ? (envelope.Result as unknown[]).filter(isObject) : [];
    },
    brand: createBrands(cloud).ofUser,
    permissions: credentials => read(calls.permissions, credentials),
    async noteTimeZone(credentials, TimeZone) {
      const given = { operation: calls.timeZone, parameters: {}, body: { TimeZone }, credentials };
      await cloud.call({ ...given, automatic: true, bare: true }).catch(() => undefined);
    },
    displaySettings: credentials => read(calls.display, credentials),
    async negotiate(credentials) {
      try {
        const { envelope } = await cloud.call({
          operation: calls.negotiate,
          parameters: {},
          credentials,
          automatic: true,
          bare: true,
        });
        const { url, accessToken } = isObject(envelope.Result) ? envelope.Result : {};
        return typeof url === 'string' && typeof accessToken === 'string' ? { url, token: accessToken } : undefined;
      } catch {
        // Failures of notifications are swallowed (document 1, section 8).
        return undefined;
      }
    },
  };
}

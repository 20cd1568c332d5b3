import type { Operation } from '../../shared/language/types.ts';
import { PortalError } from '../errors.ts';
import type { Credentials } from './call.ts';
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

export type SignedIn = { readonly tokens: Tokens; readonly userName: string };
/** What the auth service says to a sign-in that it refuses. */
export type Refused = { readonly refused: string };

/** A code of an authenticator app, and the key that it is of while the app is being set up; or a recovery code. */
export type SecondFactor = { readonly key: string; readonly code: string; readonly recovery?: string };

/** The calls about accounts that the portal makes on its own (document 1, section 7). */
export type Accounts = {
  signIn(username: string, password: string, second?: SecondFactor): Promise<SignedIn | Refused>;
  /** Lets in whom an identity provider has signed in, by the token that it made (grants `sso` and `aad`). */
  signOn(grant: 'sso' | 'aad', token: string): Promise<SignedIn | Refused>;
  /** Links a work account to the account of a password; gives undefined when it is done. */
  linkWorkAccount(
    given: { readonly username: string; readonly password: string; readonly adtoken: string },
    second?: SecondFactor,
  ): Promise<(Refused & { readonly said: string }) | undefined>;
  /** Gives undefined when the grant is refused. */
  exchangeTokens(refresh: string): Promise<Tokens | undefined>;
  loginFlow(username: string): Promise<'SSO' | 'Legacy' | 'Unknown'>;
  signOut(tokens: Tokens, actor: string): Promise<void>;
  loginUser(credentials: Credentials): Promise<Readonly<Record<string, unknown>>>;
  /** Throws PERMISSION_NOT_FOUND for an account without a record. */
  permissions(credentials: Credentials): Promise<Readonly<Record<string, unknown>>>;
  displaySettings(credentials: Credentials): Promise<Readonly<Record<string, unknown>>>;
  /** Where the cloud's hub is and the token for it; undefined when it refuses or does not answer. */
  negotiate(credentials: Credentials): Promise<{ readonly url: string; readonly token: string } | undefined>;
};

const get = (path: string): Operation => ({ service: 'cloud', method: 'GET', path });
const calls = {
  loginUser: get('/api/users/login-user'),
  permissions: get('/api/permissions'),
  display: get('/api/account-settings/display'),
  negotiate: get('/api/notifications/negotiate'),
  logout: { service: 'auth', method: 'POST', path: '/auth/logout' },
  loginFlow: { service: 'auth', method: 'GET', path: '/auth/login-flow', with: { username: { type: 'string' } } },
} as const satisfies Record<string, Operation>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The expiry claim of an access token (document 1, section 5), read only to know when to renew it. */
function expiryOf(access: string): number | undefined {
  try {
    const claims = JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
      exp?: unknown;
    };
    return typeof claims.exp === 'number' ? claims.exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

function readTokens(reply: Readonly<Record<string, unknown>>, now: number): Tokens {
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = reply;
  if (typeof access !== 'string' || typeof refresh !== 'string' || typeof seconds !== 'number')
    throw new PortalError('UPSTREAM_GARBLED', { detail: 'token reply' });
  const expiresAt = Math.min(now + seconds * 1000, expiryOf(access) ?? Number.POSITIVE_INFINITY);
  return { access, refresh, expiresAt, renewAt: now + (expiresAt - now) * 0.8 };
}

/** What a browser's form would tell about its window; the portal's server has none. */
const noWindow = { width: '0', height: '0', client_id: 'portal' };

export function createAccounts(cloud: Cloud, now: () => number): Accounts {
  const read = async (operation: Operation, credentials: Credentials): Promise<Readonly<Record<string, unknown>>> => {
    const { envelope } = await cloud.call({ operation, parameters: {}, credentials });
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
    return { tokens: readTokens(wire, now()), userName };
  };
  return {
    async signIn(username, password, { key, code, recovery } = { key: '', code: '' }) {
      const reply = await cloud.post('/auth/token', {
        grant_type: 'password',
        username,
        password,
        mfaKey: key,
        mfaToken: code,
        ...(recovery !== undefined && { mfaRecoveryCode: recovery }),
        ...noWindow,
      });
      return readSignedIn(reply, username);
    },
    async signOn(grant, token) {
      const field = grant === 'sso' ? { id_token: token } : { adtoken: token };
      return readSignedIn(await cloud.post('/auth/token', { grant_type: grant, ...field, ...noWindow }), '');
    },
    async linkWorkAccount(given, { key, code } = { key: '', code: '' }) {
      const form = { ...given, mfaKey: key, mfaToken: code, ...noWindow };
      const reply = await cloud.post('/auth/azuread-account-link', form);
      if (reply.status === 200) return undefined;
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
    async signOut({ access, refresh }, actor) {
      const credentials: Credentials = {
        actor,
        token: () => access,
        renew: async () => access,
        end: async () => undefined,
      };
      await cloud.call({
        operation: calls.logout,
        parameters: {},
        body: { refresh_token: refresh },
        credentials,
        bare: true,
      });
    },
    loginUser: credentials => read(calls.loginUser, credentials),
    permissions: credentials => read(calls.permissions, credentials),
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

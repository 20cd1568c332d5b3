import * as oidc from 'openid-client';
import { type Guard, most } from '../cloud/upstream.ts';
import { isLoopback, type ProviderSettings } from '../config.ts';
import { PortalError } from '../errors.ts';

/** The portal's connections: single sign-on of organisations, and the work accounts of a cloud office suite. */
export type ConnectionName = 'sso' | 'office';

/** What binds an answer of a provider to the browser that was sent there (RFC 9700, section 2.1). */
export type RoundTrip = {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
};

export type Destination = {
  readonly redirectUri: string;
  /** Who is expected to sign in. */
  readonly username?: string | undefined;
  /** The organisation to sign in with. */
  readonly organisation?: string | undefined;
  /** True to have the user choose an account, whoever is signed in there. */
  readonly choose?: boolean | undefined;
};

/** An OpenID provider, as its client: authorization code with PKCE, state and nonce (OpenID Connect Core, section 3.1). */
export type IdentityProvider = {
  /** Throws PROVIDER_UNREACHABLE or PROVIDER_GARBLED. */
  begin(destination: Destination): Promise<{ readonly address: string; readonly trip: RoundTrip }>;
  /**
   * Exchanges the code of a callback for the id token, whose issuer, audience, expiry, nonce, algorithm and signature
   * have been checked. `refused` is what the provider says instead. Throws as `begin`.
   */
  finish(
    query: string,
    trip: RoundTrip,
  ): Promise<{ readonly idToken: string } | { readonly refused: string; readonly isDenied?: boolean }>;
  /**
   * Where the browser signs out of the provider and comes back to `returnTo`; undefined where it offers none. Without
   * the hint of an id token, as no token is ever in the browser: the provider may ask first (RP-Initiated Logout 1.0).
   */
  signOutAddress(returnTo: string): Promise<string | undefined>;
};

/** Seconds that an answer may take, and that the provider's clock may be off. */
const patience = 10;
const tolerance = 30;
/** Requests that wait for one provider at once; more are told at once that it is out of reach. */
const mostWaiting = most.sso;
/** Bytes of an answer that are read. */
const largest = 512 * 1024;
/** Milliseconds for which what a provider says of itself is believed. */
const fresh = 3_600_000;

/** Plain http only ever reaches this machine, and no answer is too large. */
const boundedFetch: oidc.CustomFetch = async (address, options) => {
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'https:' && !isLoopback(hostname)) throw new TypeError('an insecure address beyond this machine');
  const response = await fetch(address, options as RequestInit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > largest) throw new TypeError('the answer is too large');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response([204, 304].includes(status) ? null : Buffer.concat(chunks), { status, headers });
};

/** As `boundedFetch`, but for calls that the guard refuses; the client knows only a TypeError for what was not answered. */
const guardedFetch =
  (guard: Guard): oidc.CustomFetch =>
  (address, options) =>
    guard(() =>
      boundedFetch(address, options).catch(cause => {
        throw options.signal?.aborted ? new PortalError('UPSTREAM_TIMEOUT', { cause }) : cause;
      }),
    ).catch(cause => {
      throw cause instanceof PortalError ? new TypeError(cause.message, { cause }) : cause;
    });

/** The way of proving the secret that the provider takes; where it does not say, the standard's own. */
function authenticateBy(secret: string): oidc.ClientAuth {
  const [post, basic] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (as, ...rest) =>
    (as.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? post : basic)(as, ...rest);
}

function asPortalError(cause: unknown): PortalError {
  if (cause instanceof PortalError) return cause;
  const { code = '', message } = cause as { code?: string; message?: string };
  const isAway = cause instanceof TypeError || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM';
  return new PortalError(isAway ? 'PROVIDER_UNREACHABLE' : 'PROVIDER_GARBLED', {
    detail: `${code} ${message ?? ''}`.trim(),
  });
}

/** Creates the client of an OpenID provider. It reads the provider's configuration when it is first needed. */
export function createIdentityProvider(settings: ProviderSettings, guard: Guard, now: () => number): IdentityProvider {
  const { issuer, clientId, clientSecret, scopes } = settings;
  const fetch = guardedFetch(guard);
  let waiting = 0;
  let found: { readonly at: number; readonly configuration: Promise<oidc.Configuration> } | undefined;

  const discover = (): Promise<oidc.Configuration> => {
    if (found && now() - found.at < fresh) return found.configuration;
    const execute = [oidc.enableNonRepudiationChecks];
    if (issuer.protocol === 'http:') execute.push(oidc.allowInsecureRequests);
    const options = { execute, timeout: patience, [oidc.customFetch]: fetch };
    const metadata = { [oidc.clockTolerance]: tolerance };
    const configuration = oidc.discovery(issuer, clientId, metadata, authenticateBy(clientSecret), options);
    const mine = { at: now(), configuration };
    found = mine;
    configuration.catch(() => {
      if (found === mine) found = undefined;
    });
    return configuration;
  };

  /** Many may wait for one and the same call, such as that which finds out about the provider. */
  const wait = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting >= mostWaiting) throw new PortalError('PROVIDER_UNREACHABLE', { detail: 'too many wait for it' });
    waiting += 1;
    try {
      return await work();
    } finally {
      waiting -= 1;
    }
  };

  return {
    async begin({ redirectUri, username, organisation, choose }) {
      const configuration = await wait(discover).catch(error => Promise.reject(asPortalError(error)));
      const trip = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        redirectUri,
      };
      const address = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes,
        state: trip.state,
        nonce: trip.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(trip.verifier),
        code_challenge_method: 'S256',
        ...(username && { login_hint: username }),
        ...(organisation && { organization: organisation }),
        ...(choose && { prompt: 'select_account' }),
      });
      return { address: address.href, trip };
    },

    async finish(query, { state, nonce, verifier, redirectUri }) {
      try {
        const tokens = await wait(async () =>
          oidc.authorizationCodeGrant(await discover(), new URL(`${redirectUri}?${query}`), {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: verifier,
            idTokenExpected: true,
          }),
        );
        return { idToken: tokens.id_token as string };
      } catch (error) {
        if (error instanceof oidc.AuthorizationResponseError)
          return { refused: error.error_description ?? error.error, isDenied: error.error === 'access_denied' };
        throw asPortalError(error);
      }
    },

    async signOutAddress(returnTo) {
      try {
        return oidc.buildEndSessionUrl(await wait(discover), { post_logout_redirect_uri: returnTo }).href;
      } catch {
        return undefined;
      }
    },
  };
}

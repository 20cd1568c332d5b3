import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Database } from '../tables.ts';
import { type Connection, clientId, clientSecret } from './connections.ts';
import type { Keys } from './keys.ts';
import { failurePage, signedOutPage, signOutPage } from './pages.ts';
import { findPerson } from './people.ts';
import { createRecords } from './records.ts';

export type ProviderOptions = {
  readonly db: Database;
  readonly keys: Keys;
  readonly connection: Connection;
  /** The sandbox's own address. */
  readonly base: string;
};

const hour = 3600;

/** Native clients may come back to any port of loopback (RFC 8252, section 7.3). */
const onLoopback = (path: string): string[] =>
  ['http://127.0.0.1', 'http://localhost', 'http://[::1]'].map(origin => origin + path);

/**
 * Creates an OpenID provider for the people of a connection: code flow only, PKCE required (S256), consent of the one
 * client taken as given. An `organization` that a request names ends up in the token as `org_id`.
 */
export async function createProvider({ db, keys, connection, base }: ProviderOptions): Promise<Provider> {
  // Few start the sandbox to use it, and it takes a while to load.
  const { Provider, interactionPolicy } = await import('oidc-provider');
  const { path } = connection;
  const records = createRecords(db, path);
  const asked = records('Organisation');
  const policy = interactionPolicy.base();
  policy.remove('consent');
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);

  const show = (ctx: KoaContextWithOIDC, html: string): void => {
    ctx.type = 'html';
    ctx.body = html;
  };

  return new Provider(base + path, {
    adapter: records,
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        client_name: 'the portal',
        application_type: 'native',
        redirect_uris: onLoopback('/auth/callback'),
        post_logout_redirect_uris: onLoopback('/login'),
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [keys.signing as never] },
    claims: { openid: ['sub', 'org_id', 'idp'], email: ['email'], profile: ['name'] },
    scopes: ['openid', 'email', 'profile'],
    responseTypes: ['code'],
    extraParams: ['organization'],
    pkce: { required: () => true },
    cookies: {
      keys: [keys.cookies],
      names: { session: 'sandbox-session', interaction: 'sandbox-interaction', resume: 'sandbox-resume' },
      long: { path, httpOnly: true, sameSite: 'lax', signed: true },
      short: { path, httpOnly: true, sameSite: 'lax', signed: true },
    },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 8 * hour,
      IdToken: 600,
      Interaction: hour,
      Session: 8 * hour,
    },
    interactions: { policy, url: (_ctx, { uid }) => `${path}/sign-in/${uid}` },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => show(ctx, signOutPage(connection, form)),
        postLogoutSuccessSource: ctx => show(ctx, signedOutPage(connection)),
      },
    },
    renderError(ctx, { error, error_description }) {
      show(ctx, failurePage(connection, error_description ?? error));
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId });
      grant.addOIDCScope('openid email profile');
      const id = await grant.save();
      const { organization } = oidc.params ?? {};
      if (typeof organization === 'string') await asked.upsert(id, { organization } as never, 600);
      return grant;
    },
    async findAccount(_ctx, subject, token) {
      const person = await findPerson(db, path, subject);
      if (!person) return undefined;
      const grantId = token && 'grantId' in token ? token.grantId : undefined;
      const request = grantId === undefined ? undefined : await asked.find(String(grantId));
      const organisation = person.organisation_id ?? (request as { organization?: string } | undefined)?.organization;
      return {
        accountId: subject,
        claims: () => ({
          sub: subject,
          email: person.username,
          name: person.display_name,
          // An organisation has its own people signed in by Microsoft.
          idp: organisation === undefined ? connection.through : 'microsoft',
          ...(organisation !== undefined && { org_id: organisation }),
        }),
      };
    },
  });
}

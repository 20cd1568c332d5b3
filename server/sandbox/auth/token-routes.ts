import { sql } from 'kysely';
import { type App, integer, list, object, string, text } from '../http/schema.ts';
import { signOn } from '../identity/sign-on.ts';
import { clientAddress } from '../ip-access/client-address.ts';
import { takeKey } from '../manage-api/keys.ts';
import { sendSecurityNotice } from '../outbox/security.ts';
import type { Parts } from '../parts.ts';
import type { Write } from '../tables.ts';
import { type Caller, findCaller } from './caller.ts';
import { openGrant, rotateGrant } from './grants.ts';
import { takeJump } from './jumps.ts';
import { isPassword } from './passwords.ts';
import { countRecoveryCodes, makeRecoveryCodes, type RecoveryCodes } from './recovery-codes.ts';
import { checkSecondFactor, type SecondFactor } from './second-factor.ts';
import { completeAppSetUp, type Owner } from './set-up.ts';
import { signToken } from './tokens.ts';

/** Proofs of a sign-in, and what it has changed besides. */
type Besides = {
  /** The hash of the password that was right. */
  readonly password?: string | null;
  /** Is to be told that a recovery code was used. */
  readonly recovered?: Owner;
  /** The codes of an authenticator app that was set up. */
  readonly setUp?: { readonly owner: Owner; readonly codes: RecoveryCodes };
};

// Other parameters (width, height, client_id) are ignored, as RFC 6749 section 3.2 asks.
const tokenBody = {
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: text(40),
    username: text(254),
    password: { type: 'string', maxLength: 256 },
    refresh_token: text(200),
    mfaKey: text(64),
    mfaToken: text(15),
    mfaRecoveryCode: text(40),
    id_token: text(8000),
    adtoken: text(8000),
    cmtoken: text(200),
    adminid: text(40),
    api_key: text(100),
  },
} as const;

const failure = { type: 'object', properties: { error: string, error_description: string } } as const;
const everyToken = object({
  access_token: string,
  token_type: string,
  expires_in: integer,
  refresh_token: string,
  userName: string,
  userType: string,
  currency: string,
});
const tokenReply = {
  ...everyToken,
  properties: {
    ...everyToken.properties,
    actor: { ...string, description: 'User name of who really signed in, by a jump.' },
    apiKey: {
      ...object({ keyId: string, operations: list(string) }),
      description: 'The key, and the operations it opens.',
    },
    recoveryCodes: { ...list(string), description: 'Of an authenticator app that was set up by this sign-in.' },
  },
};

const noJump = { error: 'invalid_grant', error_description: 'The jump token is not valid.' };
const noKey = { error: 'invalid_grant', error_description: 'The key is not valid.' };
const wrong = { error: 'invalid_grant', error_description: 'The username or password is wrong.' };

/**
 * Adds the routes of the auth host, which need no bearer token: tokens for a password, a jump, a token of an identity
 * provider, an API key or a refresh token; and how a user name signs in.
 */
export function addTokenRoutes(app: App, { db, secret, tokenSeconds: seconds, now, signOn: identities }: Parts): void {
  app.post(
    '/auth/token',
    {
      attachValidation: true,
      schema: {
        tags: ['auth'],
        consumes: ['application/x-www-form-urlencoded'],
        body: tokenBody,
        response: { 200: tokenReply, 400: failure },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (request.validationError) {
        return reply.code(400).send({ error: 'invalid_request', error_description: 'The request is malformed.' });
      }
      const { grant_type, username = '', password = '', refresh_token = '' } = request.body;
      if (grant_type === 'password') {
        const { mfaKey = '', mfaToken = '', mfaRecoveryCode = '', cmtoken, adminid = '' } = request.body;
        if (cmtoken !== undefined) return (await jump(cmtoken, adminid)) ?? reply.code(400).send(noJump);
        const signedIn = await signIn(username, password, { mfaKey, mfaToken, mfaRecoveryCode });
        if (typeof signedIn !== 'string') return signedIn ?? reply.code(400).send(wrong);
        return reply.code(400).send({ error: 'invalid_grant', error_description: signedIn });
      }
      if (grant_type === 'refresh_token') {
        const grant = await rotateGrant(db, refresh_token, now());
        if (grant) return await tokenFor(grant);
        return reply.code(400).send({ error: 'invalid_grant', error_description: 'The refresh token is not valid.' });
      }
      if (grant_type === 'sso' || grant_type === 'aad') {
        const { id_token = '', adtoken = '' } = request.body;
        const found = await signOn(identities, grant_type, grant_type === 'sso' ? id_token : adtoken);
        if (typeof found === 'number') return (await openFor(found)) ?? reply.code(400).send(wrong);
        return reply.code(400).send({ error: 'invalid_grant', error_description: found });
      }
      if (grant_type === 'api_key') {
        const used = await takeKey(db, request.body.api_key ?? '', clientAddress(request), now());
        if (!used) return reply.code(400).send(noKey);
        // Nothing to renew: the key is asked for again with each call.
        const token = await tokenFor({ id: used.grantId, refresh: '' });
        return { ...token, apiKey: { keyId: String(used.keyId), operations: [...used.operations] } };
      }
      return reply.code(400).send({
        error: 'unsupported_grant_type',
        error_description: 'Use password, sso, aad, api_key or refresh_token.',
      });
    },
  );

  app.get(
    '/auth/login-flow',
    { schema: { tags: ['auth'], querystring: object({ username: text(254) }) } },
    async request => {
      const account = await db
        .selectFrom('accounts')
        .select('login_flow')
        .where(sql`lower(username)`, '=', request.query.username.toLowerCase())
        .executeTakeFirst();
      return { Succeed: true, Result: { loginFlow: account?.login_flow ?? 'Unknown' } };
    },
  );

  /** Gives what is still needed as text, and nothing for who is not let in. */
  async function signIn(username: string, password: string, second: SecondFactor) {
    const account = await db
      .selectFrom('accounts')
      .select(['id', 'username', 'email', 'display_name', 'password_hash', 'enabled', 'login_flow'])
      .select(['mfa_required', 'mfa_key', 'mfa_offer', 'user_type', 'must_choose_password'])
      .where(sql`lower(username)`, '=', username.toLowerCase())
      .executeTakeFirst();
    const matches = await isPassword(account?.password_hash, password);
    if (!account || !matches || !account.enabled || account.login_flow !== 'Legacy') return undefined;
    const checked = await checkSecondFactor(db, account, second, now());
    if ('needed' in checked) return checked.needed;
    const { by } = checked;
    return openFor(account.id, {
      password: account.password_hash,
      ...(by === 'recovery-code' && { recovered: account }),
      ...(by === 'first-code' && { setUp: { owner: account, codes: await makeRecoveryCodes() } }),
    });
  }

  /** Lets an account in. */
  async function openFor(accountId: number, { password, recovered, setUp }: Besides = {}) {
    const grant = await db.transaction().execute(async trx => {
      const account = await trx
        .selectFrom('accounts')
        .select(['user_id', 'password_hash', 'enabled'])
        .where('id', '=', accountId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      // A password that was changed meanwhile lets nobody in: what it opened would outlive the change.
      if (password !== undefined && account.password_hash !== password) return undefined;
      if (!account.enabled) return undefined;
      await trx.updateTable('accounts').set({ last_sign_in: now() }).where('id', '=', accountId).execute();
      if (account.user_id !== null)
        await trx.updateTable('users').set({ last_sign_in: now() }).where('id', '=', account.user_id).execute();
      if (recovered) await tellOfRecovery(trx, recovered);
      if (setUp) await completeAppSetUp(trx, setUp.owner, setUp.codes, now());
      return await openGrant(trx, accountId, now());
    });
    return grant && { ...(await tokenFor(grant)), ...(setUp && { recoveryCodes: [...setUp.codes.codes] }) };
  }

  /** Whoever signs in with a recovery code has lost the phone, or the codes. */
  async function tellOfRecovery(trx: Write, account: Owner) {
    const { id: accountId, display_name: name, email } = account;
    const left = await countRecoveryCodes(trx, accountId);
    const what = `A recovery code was used to sign in to your account. Codes left: ${left}.`;
    await sendSecurityNotice(trx, { accountId, name, email, subject: 'Recovery code used', what }, now());
  }

  /** Signs in as another by a token that was made for it. What the actor signed in with is not asked for again. */
  async function jump(token: string, adminId: string) {
    const grant = await db.transaction().execute(async trx => {
      const found = await takeJump(trx, token, adminId, now());
      return found && (await openGrant(trx, found.target, now(), found.actor));
    });
    return grant && (await tokenFor(grant));
  }

  async function tokenFor(grant: { id: string; refresh: string }) {
    const caller = (await findCaller(db, grant.id)) as Caller;
    const iat = Math.floor(now().getTime() / 1000);
    return {
      access_token: signToken(secret, {
        sub: String(caller.accountId),
        sid: grant.id,
        typ: 'access',
        iat,
        exp: iat + seconds,
        currency: caller.currency,
        singleExperience: caller.singleExperience,
      }),
      token_type: 'bearer',
      expires_in: seconds,
      refresh_token: grant.refresh,
      userName: caller.userName,
      userType: caller.userType,
      currency: caller.currency,
      ...(caller.actorName !== null && { actor: caller.actorName }),
    };
  }
}

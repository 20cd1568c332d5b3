import { sql } from 'kysely';
import { isPassword } from '../auth/passwords.ts';
import { makeRecoveryCodes } from '../auth/recovery-codes.ts';
import { checkSecondFactor } from '../auth/second-factor.ts';
import { completeAppSetUp } from '../auth/set-up.ts';
import { type App, list, string, text } from '../http/schema.ts';
import { hintIntegrationsOf } from '../integration/hints.ts';
import type { Parts } from '../parts.ts';
import { readIdToken } from './tokens.ts';

const issuer = '/office';
const taken = 'This work account is linked to another account.';
const body = {
  type: 'object',
  required: ['username', 'password', 'adtoken'],
  properties: {
    username: text(254),
    password: { type: 'string', maxLength: 256 },
    adtoken: text(8000),
    mfaKey: text(64),
    mfaToken: text(15),
    mfaRecoveryCode: text(40),
  },
} as const;
const linked = {
  type: 'object',
  required: ['Succeed'],
  properties: {
    Succeed: { type: 'boolean' },
    recoveryCodes: { ...list(string), description: 'Of an authenticator app that was set up on the way.' },
  },
} as const;
const refusal = { type: 'object', properties: { Message: string, error_description: string } } as const;

/**
 * Adds the route that links a work account (of an identity provider) to the account of a password, whose second factor
 * is asked for as at sign-in (document 1, section 7). A refusal has a Message unless the username or password is wrong.
 */
export function addLinkRoute(app: App, { signOn: { db, keys, base, now } }: Parts): void {
  app.post(
    '/auth/azuread-account-link',
    {
      attachValidation: true,
      schema: {
        tags: ['auth'],
        consumes: ['application/x-www-form-urlencoded'],
        body,
        response: { 200: linked, 400: refusal },
      },
    },
    async (request, reply) => {
      const refuse = (Message?: string, error_description?: string) =>
        reply.code(400).send({ ...(Message && { Message }), ...(error_description && { error_description }) });
      if (request.validationError) return refuse('The request is malformed.');
      const { username, password, adtoken, mfaKey = '', mfaToken = '', mfaRecoveryCode = '' } = request.body;
      const account = await db
        .selectFrom('accounts')
        .select(['id', 'username', 'email', 'display_name', 'password_hash', 'enabled', 'login_flow', 'microsoft'])
        .select(['mfa_required', 'mfa_key', 'mfa_offer', 'user_type', 'must_choose_password'])
        .where(sql`lower(username)`, '=', username.toLowerCase())
        .executeTakeFirst();
      const matches = await isPassword(account?.password_hash, password);
      if (!account || !matches || !account.enabled || account.login_flow !== 'Legacy') return refuse();
      const claims = readIdToken(keys, adtoken, base() + issuer, now());
      if (!claims) return refuse('Your work account has to sign in again.');
      if (account.microsoft === 'prohibited') return refuse('This account may not sign in with Microsoft.');
      if (await isTaken(claims.sub, account.id)) return refuse(taken);
      const checked = await checkSecondFactor(db, account, { mfaKey, mfaToken, mfaRecoveryCode }, now());
      if ('needed' in checked) return refuse('Something else is needed first.', checked.needed);
      const { account_id } = await db
        .insertInto('identities')
        .values({ issuer, subject: claims.sub, account_id: account.id })
        // Changes nothing, but gives what stands there.
        .onConflict(conflict => conflict.columns(['issuer', 'subject']).doUpdateSet({ issuer }))
        .returning('account_id')
        .executeTakeFirstOrThrow();
      if (account_id !== account.id) return refuse(taken);
      await hintIntegrationsOf(db, account_id);
      if (checked.by !== 'first-code') return reply.send({ Succeed: true });
      const made = await makeRecoveryCodes();
      await db.transaction().execute(trx => completeAppSetUp(trx, account, made, now()));
      return reply.send({ Succeed: true, recoveryCodes: [...made.codes] });
    },
  );

  /** Before a second factor is used up for nothing. */
  async function isTaken(subject: string, account: number): Promise<boolean> {
    const other = await db
      .selectFrom('identities')
      .select('account_id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .where('account_id', '!=', account)
      .executeTakeFirst();
    return other !== undefined;
  }
}

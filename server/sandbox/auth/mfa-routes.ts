import { conflict, invalid } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, integer, list, object, partial, string, text } from '../http/schema.ts';
import { sendHint } from '../notifications/hints.ts';
import { sendSecurityNotice } from '../outbox/security.ts';
import type { Parts } from '../parts.ts';
import type { Write } from '../tables.ts';
import type { Caller } from './caller.ts';
import { revokeOtherGrants } from './grants.ts';
import { anyone } from './needs.ts';
import { prove, readProvingAccount } from './proof.ts';
import { countRecoveryCodes, dropRecoveryCodes, makeRecoveryCodes, storeRecoveryCodes } from './recovery-codes.ts';
import { imageOf, isRequiredOfKind, offerKey } from './second-factor.ts';

const password = { type: 'string', maxLength: 256 } as const;
const code = text(15);
const proof = {
  ...partial({ Password: password, Code: code, RecoveryCode: text(40) }, 'Password'),
  oneOf: [{ required: ['Code'] }, { required: ['RecoveryCode'] }],
} as const;
const recoveryCodes = object({ recoveryCodes: list(string) });

/**
 * Adds the routes of the caller's second factor (document 1, sections 4 and 7). A change needs the password, and a code
 * where an app is set up, whatever the portal has asked for; it ends the account's other sign-ins and mails its owner.
 */
export function addMfaRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['mfa'], needs: anyone });

  route(
    'POST /api/mfa/is-enabled',
    {
      body: object({}),
      reply: object({ available: boolean, enabled: boolean, required: boolean, recoveryCodes: integer }),
    },
    async ({ caller: { accountId } }) => {
      const account = await db
        .selectFrom('accounts')
        .select(['login_flow', 'mfa_key', 'mfa_required'])
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow();
      return {
        available: account.login_flow === 'Legacy',
        enabled: account.mfa_key !== null,
        required: account.mfa_required || (await isRequiredOfKind(db, accountId)),
        recoveryCodes: await countRecoveryCodes(db, accountId),
      };
    },
  );

  route(
    'POST /api/mfa/setup',
    { body: object({ Password: password }), reply: object({ manualEntryKey: string, qrCodeSetupImageUrl: string }) },
    async ({ caller, body }) => {
      const account = await readProvingAccount(db, caller.accountId);
      if (account.mfa_key !== null) throw conflict('An authenticator app is set up already.');
      await prove(db, account, body, now());
      const key = account.mfa_offer ?? (await offerKey(db, account));
      return { manualEntryKey: key, qrCodeSetupImageUrl: imageOf(key, account) };
    },
  );

  route('POST /api/mfa/verify-user', { body: object({ Password: password }) }, async ({ caller, body }) => {
    await prove(db, await readProvingAccount(db, caller.accountId), body, now());
  });

  route('POST /api/mfa/verify-token', { body: object({ Code: code }) }, async ({ caller, body }) => {
    await prove(db, await readProvingAccount(db, caller.accountId), body, now());
  });

  route(
    'PUT /api/mfa/configure',
    { body: object({ Password: password, Key: text(64), Code: code }), reply: recoveryCodes },
    async ({ caller, body: { Password, Key, Code } }) => {
      const account = await readProvingAccount(db, caller.accountId);
      if (account.mfa_key !== null) throw conflict('An authenticator app is set up already.');
      if (account.mfa_offer === null || Key !== account.mfa_offer)
        throw invalid({ Key: ['This key was not offered.'] });
      await prove(db, account, { Password, Code }, now(), account.mfa_offer);
      const made = await makeRecoveryCodes();
      await change(
        caller,
        'Authenticator app set up',
        'An authenticator app was set up for your account.',
        async trx => {
          await trx
            .updateTable('accounts')
            .set({ mfa_key: account.mfa_offer, mfa_offer: null })
            .where('id', '=', account.id)
            .execute();
          await storeRecoveryCodes(trx, account.id, made);
        },
      );
      return { recoveryCodes: [...made.codes] };
    },
  );

  route('PUT /api/mfa/disable', { body: proof }, async ({ caller, body }) => {
    const account = await readProvingAccount(db, caller.accountId);
    if (account.mfa_key === null) throw conflict('No authenticator app is set up.');
    await prove(db, account, body, now());
    await change(caller, 'Authenticator app reset', 'The authenticator app of your account was reset.', async trx => {
      await trx
        .updateTable('accounts')
        .set({ mfa_key: null, mfa_offer: null, mfa_step: 0 })
        .where('id', '=', account.id)
        .execute();
      await dropRecoveryCodes(trx, account.id);
    });
  });

  route(
    'POST /api/mfa/recovery-codes',
    { body: object({ Password: password, Code: code }), reply: recoveryCodes },
    async ({ caller, body }) => {
      const account = await readProvingAccount(db, caller.accountId);
      if (account.mfa_key === null) throw conflict('No authenticator app is set up.');
      await prove(db, account, body, now());
      const made = await makeRecoveryCodes();
      await change(caller, 'New recovery codes', 'New recovery codes were made for your account.', trx =>
        storeRecoveryCodes(trx, account.id, made),
      );
      return { recoveryCodes: [...made.codes] };
    },
  );

  async function change(
    { accountId, grantId, displayName, email }: Caller,
    subject: string,
    what: string,
    act: (trx: Write) => Promise<void>,
  ): Promise<void> {
    await db.transaction().execute(async trx => {
      await act(trx);
      for (const grant of await revokeOtherGrants(trx, accountId, grantId, now()))
        await sendHint(trx, { grant }, 'end');
      await sendSecurityNotice(trx, { accountId, name: displayName, email, subject, what }, now());
    });
  }
}

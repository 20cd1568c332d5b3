import { sql } from 'kysely';
import type { Database } from '../database/connect.ts';
import { conflict, notFound, notPermitted } from '../http/errors.ts';
import { done, replies } from '../http/reply.ts';
import { type App, object, params } from '../http/schema.ts';
import { sendHint } from '../notifications/hints.ts';
import { view } from './needs.ts';
import { permissions, views } from './words.ts';

const rights = object({
  views: { type: 'array', items: { enum: views }, uniqueItems: true },
  permissions: { type: 'array', items: { enum: permissions }, uniqueItems: true },
});

/** Changing what another account of the same reseller may do (document 1, section 7: permissions update). */
export function addRightsRoutes(app: App, db: Database): void {
  app.put(
    '/api/permissions/:userName',
    {
      config: { needs: view('manageUsers') },
      schema: { tags: ['account'], params: params('userName'), body: rights, response: replies() },
    },
    async ({ signedIn, params: { userName }, body }) => {
      if (signedIn.customerId !== null) throw notPermitted();
      await db.transaction().execute(async trx => {
        const account = await trx
          .selectFrom('accounts')
          .select('id')
          .where(sql`lower(username)`, '=', userName.toLowerCase())
          .where('reseller_id', '=', signedIn.resellerId)
          .executeTakeFirst();
        if (account === undefined) throw notFound();
        if (account.id === signedIn.accountId) throw conflict('You cannot change your own permissions.');
        const row = { views: [...body.views], permissions: [...body.permissions] };
        await trx
          .insertInto('account_permissions')
          .values({ account_id: account.id, ...row })
          .onConflict(existing => existing.column('account_id').doUpdateSet(row))
          .execute();
        await sendHint(trx, { account: account.id }, { kind: 'permissions-changed' });
      });
      return done('The permissions were saved.');
    },
  );
}

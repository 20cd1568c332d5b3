import type { Caller } from '../auth/caller.ts';
import { anyone } from '../auth/needs.ts';
import type { Database } from '../database/connect.ts';
import { invalid, notFound, notPermitted } from '../http/errors.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, boolean, filled, id, list, object, params, string } from '../http/schema.ts';
import { sendHint } from '../notifications/hints.ts';

/** The reseller agreement; 0 in an address means this one. */
const resellerAgreement = 1;

const agreement = object({
  AgreementId: id,
  Title: string,
  Paragraphs: list(object({ Id: id, Text: string })),
  Signed: boolean,
  CanSign: boolean,
});

/** Only a reseller signs for the reseller. */
const canSign = ({ userType }: Caller): boolean => userType === 'reseller';

/** The agreement between operator and reseller: reading it, whether it must be signed now, signing it. */
export function addAgreementRoutes(app: App, db: Database, now: () => Date): void {
  app.get(
    '/api/agreements/reseller-validity',
    {
      config: { needs: anyone },
      schema: { tags: ['agreements'], response: replies(object({ MustSignNow: boolean })) },
    },
    async ({ signedIn }) => succeed({ MustSignNow: signedIn.mustSign }),
  );

  app.get(
    '/api/agreements/:agreementId',
    {
      config: { needs: anyone },
      schema: { tags: ['agreements'], params: params('agreementId'), response: replies(agreement) },
    },
    async ({ signedIn, params: { agreementId } }) => {
      const found = await find(db, agreementId, signedIn);
      return succeed({
        AgreementId: found.id,
        Title: found.title,
        Paragraphs: found.paragraphs.map((Text, index) => ({ Id: index, Text })),
        Signed: found.signed !== null,
        CanSign: canSign(signedIn),
      });
    },
  );

  app.post(
    '/api/agreements/:agreementId/sign',
    {
      config: { needs: anyone },
      schema: {
        tags: ['agreements'],
        params: params('agreementId'),
        body: object({ Signatory: filled(100), Agreed: boolean }),
        response: replies(),
      },
    },
    async ({ signedIn, params: { agreementId }, body }) => {
      if (!canSign(signedIn)) throw notPermitted();
      if (!body.Agreed) throw invalid({ Agreed: ['This is required'] });
      const found = await find(db, agreementId, signedIn);
      await db.transaction().execute(async trx => {
        await trx
          .insertInto('agreement_signatures')
          .values({
            agreement_id: found.id,
            account_id: signedIn.accountId,
            signatory: body.Signatory.trim(),
            signed: now(),
          })
          .onConflict(existing => existing.doNothing())
          .execute();
        await trx.updateTable('accounts').set({ must_sign: false }).where('id', '=', signedIn.accountId).execute();
        await sendHint(trx, { account: signedIn.accountId }, { kind: 'permissions-changed' });
      });
      return done('The agreement was signed.');
    },
  );
}

async function find(db: Database, agreementId: string, { accountId }: Caller) {
  const id = agreementId === '0' ? resellerAgreement : Number(agreementId);
  const found = Number.isSafeInteger(id)
    ? await db
        .selectFrom('agreements as a')
        .leftJoin('agreement_signatures as s', join =>
          join.onRef('s.agreement_id', '=', 'a.id').on('s.account_id', '=', accountId),
        )
        .select(['a.id', 'a.title', 'a.paragraphs', 's.signed'])
        .where('a.id', '=', id)
        .executeTakeFirst()
    : undefined;
  if (!found) throw notFound();
  return found;
}

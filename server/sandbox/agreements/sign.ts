import type { Caller } from '../auth/caller.ts';
import { invalid, notPermitted } from '../http/errors.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Database } from '../tables.ts';
import { type Agreement, resellerAgreement } from './read.ts';

export type Signature = {
  readonly Signatory: string;
  readonly Agreed: boolean;
  readonly SignatureImageId?: string;
};

/** Service agreements are signed for the reseller, by those of its people who have the permission. */
export function canAgree({ customerId, permissions }: Caller): boolean {
  return customerId === null && permissions.includes('signAgreements');
}

/** The reseller agreement is signed by a reseller account for itself. */
export function canSign(caller: Caller, { id }: Pick<Agreement, 'id'>): boolean {
  return id === resellerAgreement ? caller.userType === 'reseller' : canAgree(caller);
}

/** Signs the newest version of each, all or none; what is signed already stays as it is. */
export async function sign(
  db: Database,
  caller: Caller,
  agreements: readonly Agreement[],
  { Signatory, Agreed, SignatureImageId }: Signature,
  now: Date,
): Promise<void> {
  if (!agreements.every(agreement => canSign(caller, agreement))) throw notPermitted();
  if (!Agreed) throw invalid({ Agreed: ['This is required'] });
  const { accountId: account_id, resellerId: reseller_id } = caller;
  await db.transaction().execute(async trx => {
    if (SignatureImageId !== undefined) {
      const image = await trx
        .selectFrom('signature_images')
        .select('id')
        .where('id', '=', SignatureImageId)
        .where('account_id', '=', account_id)
        .executeTakeFirst();
      if (image === undefined) throw invalid({ SignatureImageId: ['Must be the correct format'] });
    }
    for (const { id, version } of agreements.filter(({ signed }) => signed === null)) {
      const row = { agreement_id: id, version, reseller_id, account_id, signatory: Signatory.trim(), signed: now };
      await trx
        .insertInto('agreement_signatures')
        .values({ ...row, image_id: SignatureImageId ?? null })
        .onConflict(existing => existing.doNothing())
        .execute();
    }
    if (agreements.some(({ id }) => id === resellerAgreement)) {
      await trx.updateTable('accounts').set({ must_sign: false }).where('id', '=', account_id).execute();
      await sendHint(trx, { account: account_id }, { kind: 'permissions-changed' });
    }
  });
}

import type { Caller } from '../auth/caller.ts';
import { invalid, notPermitted } from '../http/errors.ts';
import { refuseConflict } from '../http/refusals.ts';
import type { TypeOf } from '../http/route.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Database } from '../tables.ts';
import { type Agreement, resellerAgreement } from './read.ts';
import type { signatureBody } from './shapes.ts';

type Signature = TypeOf<typeof signatureBody>;

/** True for staff of a reseller with the permission to sign service agreements for it. */
export function canAgree({ customerId, permissions }: Caller): boolean {
  return customerId === null && permissions.includes('signAgreements');
}

/**
 * True when the caller may sign this agreement: the reseller agreement is signed by each reseller account for itself,
 * every other one by those who `canAgree`.
 */
export function canSign(caller: Caller, { id }: Pick<Agreement, 'id'>): boolean {
  return id === resellerAgreement ? caller.userType === 'reseller' : canAgree(caller);
}

/**
 * True for an agreement that applies to the caller: the reseller agreement applies to the reseller's own accounts
 * alone.
 */
export function concerns({ userType }: Caller, { id }: Pick<Agreement, 'id'>): boolean {
  return id !== resellerAgreement || userType === 'reseller';
}

/**
 * Refuses to sign a version that the caller has not read: `versions` are those that were read, in the order of the
 * agreements; without them the newest ones are signed.
 * @throws {CloudError} 409 where a newer version was published meanwhile
 */
export function requireVersions(agreements: readonly Agreement[], versions: readonly number[] | undefined): void {
  const renewed = versions && agreements.find(({ version }, index) => version !== versions[index]);
  if (renewed) throw refuseConflict('AgreementRenewed', { Agreement: renewed.title });
}

/**
 * Signs the newest version of every given agreement for the caller's reseller, in one transaction. An agreement that
 * was signed before keeps its signature. Signing the reseller agreement ends the account's duty to sign it and tells
 * its browser to reload the permissions.
 * @throws {CloudError} 403 when the caller may not sign one of them; 400 when `Agreed` is false or the image is not the
 * caller's
 */
export async function signAgreements(
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

/** Deletes drawn signatures older than a day with which nothing was signed. */
export async function forgetImages(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('signature_images as image')
    .where('image.created', '<', new Date(now.getTime() - 86_400_000))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('agreement_signatures as s').select('s.image_id').whereRef('s.image_id', '=', 'image.id'))),
    )
    .execute();
}

import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { Database } from '../tables.ts';
import { takeRecoveryCode } from './recovery-codes.ts';

/** Second factor that a sign-in brings besides the password (document 1, section 7). */
export type SecondFactor = {
  readonly mfaKey: string;
  readonly mfaToken: string;
  /** In place of a code; the spec has none. */
  readonly mfaRecoveryCode: string;
};

export type Guarded = {
  readonly id: number;
  readonly username: string;
  readonly mfa_required: boolean;
  readonly mfa_key: string | null;
  readonly mfa_offer: string | null;
};

/** An account whose password was right, with what its second factor is checked by. */
type CheckedAccount = Guarded & { readonly user_type: string; readonly must_choose_password: boolean };

/** `needed`: the error description of document 1, section 4; else by what the second factor was passed. */
export type SecondFactorOutcome =
  | { readonly needed: string }
  | { readonly by: 'nothing' | 'code' | 'recovery-code' | 'first-code' };

const period = 30;
const issuer = 'Cloud';
/** A code is good for its own time step of 30 seconds and one on either side (RFC 6238, section 5.2). */
const drift = 1;

/**
 * Decides what an account needs after its right password. `needed` is the auth service's word for it:
 * `mfa_token_needed`, `mfa_config_needed|key|address of a QR image` or `resetrequired|user type|user name`. An app that
 * is still to be set up waits for the new password: its recovery codes come with the sign-in that sets it up.
 */
export async function checkSecondFactor(
  db: Database,
  account: CheckedAccount,
  second: SecondFactor,
  now: Date,
): Promise<SecondFactorOutcome> {
  const { must_choose_password, mfa_key, user_type, username } = account;
  const reset = { needed: `resetrequired|${user_type}|${username}` };
  if (must_choose_password && mfa_key === null) return reset;
  const outcome = await checkOwnFactor(db, account, second, now);
  return must_choose_password && !('needed' in outcome) ? reset : outcome;
}

async function checkOwnFactor(
  db: Database,
  account: Guarded,
  { mfaKey, mfaToken, mfaRecoveryCode }: SecondFactor,
  now: Date,
): Promise<SecondFactorOutcome> {
  if (account.mfa_key !== null) {
    const isPassed =
      mfaRecoveryCode === ''
        ? await takeCode(db, account, account.mfa_key, mfaToken, now)
        : await takeRecoveryCode(db, account.id, mfaRecoveryCode);
    if (!isPassed) return { needed: 'mfa_token_needed' };
    return { by: mfaRecoveryCode === '' ? 'code' : 'recovery-code' };
  }
  if (!account.mfa_required && !(await isRequiredOfKind(db, account.id))) return { by: 'nothing' };
  const offer = account.mfa_offer ?? (await offerKey(db, account));
  if (mfaKey === offer && (await takeCode(db, account, offer, mfaToken, now))) {
    await db.updateTable('accounts').set({ mfa_key: offer, mfa_offer: null }).where('id', '=', account.id).execute();
    return { by: 'first-code' };
  }
  return { needed: `mfa_config_needed|${offer}|${imageOf(offer, account)}` };
}

/** True where the reseller requires a second factor of all accounts of this one's user type. */
export async function isRequiredOfKind(db: Database, accountId: number): Promise<boolean> {
  const rule = await db
    .selectFrom('accounts as a')
    .innerJoin('sign_in_rules as s', join =>
      join.onRef('s.reseller_id', '=', 'a.reseller_id').on(sql<boolean>`s.user_type = a.user_type`),
    )
    .select('s.mfa_required')
    .where('a.id', '=', accountId)
    .executeTakeFirst();
  return rule?.mfa_required ?? false;
}

/** Gives the address of a QR image for the key of an authenticator app. */
export function imageOf(key: string, { username }: Guarded): string {
  const image = new URL('https://qr.example.test/image');
  image.searchParams.set('text', totpOf(key, username).toString());
  return image.href;
}

/**
 * Uses up a code of the authenticator app with this key; false when it is wrong or was used before. Of two uses at once
 * one succeeds.
 */
export async function takeCode(
  db: Database,
  { id, username }: Guarded,
  key: string,
  code: string,
  now: Date,
): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return false;
  const timestamp = now.getTime();
  const delta = totpOf(key, username).validate({ token: code, timestamp, window: drift });
  if (delta === null) return false;
  const timeStep = Math.floor(timestamp / 1000 / period) + delta;
  const taken = await db
    .updateTable('accounts')
    .set({ mfa_step: timeStep })
    .where('id', '=', id)
    .where('mfa_step', '<', timeStep)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/**
 * Gives the key (base32) for an authenticator app that is to be set up. It stays the same until it is confirmed, so
 * that an app that has it already still works.
 */
export async function offerKey(db: Database, { id }: Guarded): Promise<string> {
  const key = new Secret({ size: 20 }).base32;
  await db
    .updateTable('accounts')
    .set({ mfa_offer: key })
    .where('id', '=', id)
    .where('mfa_offer', 'is', null)
    .execute();
  const row = await db.selectFrom('accounts').select('mfa_offer').where('id', '=', id).executeTakeFirstOrThrow();
  return row.mfa_offer ?? key;
}

function totpOf(key: string, label: string): TOTP {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(key), period });
}

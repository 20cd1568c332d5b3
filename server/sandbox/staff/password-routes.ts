import { randomInt } from 'node:crypto';
import type { Caller } from '../auth/caller.ts';
import { changesStaff } from '../auth/needs.ts';
import { endLinks, mailLink } from '../auth/password-links.ts';
import { validatePassword } from '../auth/password-rules.ts';
import { hashPassword } from '../auth/passwords.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { refuseConflict } from '../http/refusals.ts';
import { WithMessage } from '../http/reply.ts';
import { routeAdder } from '../http/route.ts';
import { type App, object, partial, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { findRow } from '../resource/rows.ts';
import { holdReseller } from '../roles/change.ts';
import { rightsAbove } from '../roles/rights.ts';
import type { Database, Write } from '../tables.ts';
import { endSignIns, recordAct, requireMayAct, requireRoomForLink, tellOfSignIn } from './acts.ts';
import { staff } from './resource.ts';
import type { StaffRow } from './tables.ts';

/** Letters and digits that are not taken for one another when they are told. */
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Makes a password of 16 letters and digits, some 93 bits, that keeps the rules. */
async function generatePassword(db: Database): Promise<string> {
  for (;;) {
    const groups = Array.from({ length: 4 }, () =>
      Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join(''),
    );
    const password = groups.join('-');
    if ((await validatePassword(db, password)).length === 0) return password;
  }
}

/**
 * Refuses that somebody chooses the password of a person who holds more: they could sign in as that person.
 * @throws {CloudError} 409 with the names of the rights
 */
async function refuseMore(trx: Write, { accountId }: Caller, { id }: StaffRow): Promise<void> {
  const more = await rightsAbove(trx, accountId, id);
  if (more.length > 0) throw refuseConflict('PasswordOfMore', { Rights: more.join(', ') });
}

/**
 * Adds the routes about the passwords of others (document 1, section 7): resetting one, making one, and resetting that of
 * single sign-on.
 */
export function addStaffPasswordRoutes(app: App, { db, portalUrl: portal, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['passwords'], needs: changesStaff });

  const findActive = async (trx: Write, caller: Caller, userName: string, flow: StaffRow['login_flow']) => {
    await holdReseller(trx, caller.resellerId);
    const row = await findRow(trx, staff, caller, { userName });
    requireMayAct(caller, row);
    if (row.state === 'Invited') throw conflict('There is no password yet: send the invitation again.');
    if (row.state === 'Disabled') throw conflict('This account is disabled.');
    const says =
      flow === 'SSO' ? 'This account signs in with a password of its own.' : 'Single sign-on has the password.';
    if (row.login_flow !== flow) throw conflict(says);
    return row;
  };

  route(
    'PUT /api/users/:type/:name/reset-password',
    {
      summary: 'Sets a password that must be changed at the next sign-in; without one, mails a link to choose another.',
      body: partial({ newPassword: { type: 'string', maxLength: 256 } }),
      once: true,
      reply: object({ UserName: string }),
    },
    async ({ trx, caller, params: { type, name }, body: { newPassword } }) => {
      const row = await findActive(trx, caller, name, 'Legacy');
      if (row.kind !== type) throw notFound();
      if (newPassword === undefined) await requireRoomForLink(trx, row, now());
      else await refuseMore(trx, caller, row);
      const faults = newPassword === undefined ? [] : await validatePassword(trx, newPassword);
      if (faults.length > 0) throw invalid({ newPassword: faults });
      const password_hash = newPassword === undefined ? null : await hashPassword(newPassword);
      await trx
        .updateTable('accounts')
        .set({ password_hash, must_choose_password: newPassword !== undefined })
        .where('id', '=', row.id)
        .execute();
      await endSignIns(trx, row.id, now());
      await endLinks(trx, row.id, now());
      if (newPassword === undefined) await mailLink(trx, row, row.kind, portal, now());
      const act = { trx, caller, row, now: now() };
      await tellOfSignIn(act, 'Your password was reset', `${caller.displayName} has reset your password.`);
      await recordAct(act, 'Password reset');
      return new WithMessage({ UserName: row.username }, 'The password was reset.');
    },
  );

  route('POST /api/PasswordSecurity/password', { reply: object({ Password: string }) }, async () => ({
    Password: await generatePassword(db),
  }));

  route(
    'POST /api/users/reset-sso-password/:id',
    { summary: 'Mails a link to choose another password at single sign-on.', once: true },
    async ({ trx, caller, params: { id } }) => {
      const known = trx.selectFrom('staff').select('username').where('id', '=', idOf(id));
      const { username } = await known.executeTakeFirstOrThrow(notFound);
      const row = await findActive(trx, caller, username, 'SSO');
      await requireRoomForLink(trx, row, now());
      await endLinks(trx, row.id, now());
      await mailLink(trx, row, row.kind, portal, now());
      await recordAct({ trx, caller, row, now: now() }, 'Single sign-on password reset');
      return 'The link was sent.';
    },
  );
}

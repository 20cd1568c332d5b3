import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { refuseConflict } from '../http/refusals.ts';
import { filled, partial, phone, text } from '../http/schema.ts';
import { sendHint } from '../notifications/hints.ts';
import { withoutRowType } from '../resource/declaration.ts';
import { fields } from '../resource/fields.ts';
import { readFields, writeRow } from '../resource/rows.ts';
import { recordAccess } from '../roles/activity.ts';
import type { Database, Write } from '../tables.ts';
import { profileVersion } from '../users/profile-version.ts';
import { users } from '../users/resource.ts';
import type { Person } from './find-person.ts';

/** The state of the profile that it was edited from; absent: whatever it is now. */
export const profileBody = partial(
  { FirstName: filled(50), LastName: filled(50), Phone: phone, JobTitle: text(100), Version: text(64) },
  'Phone',
  'JobTitle',
);

type Names = { readonly FirstName?: string; readonly LastName?: string };
type NewProfile = Names & { readonly Phone: string; readonly JobTitle: string; readonly Version?: string };

/** Nobody has chosen these yet: the last word of the display name, and what stands before it. */
const firstName = sql<string>`coalesce(a.first_name, case when trim(a.display_name) like '% %'
  then regexp_replace(trim(a.display_name), '\\s+\\S+$', '') else a.display_name end)`;
const lastName = sql<string>`coalesce(a.last_name, case when trim(a.display_name) like '% %'
  then substring(trim(a.display_name) from '\\S+$') else '' end)`;

const names = ['FirstName', 'LastName', 'Phone', 'JobTitle', 'Version'] as const;

/** The profile of an account that is no user of a customer. */
const ofAccount = fields('a', [
  { name: 'FirstName', column: firstName },
  { name: 'LastName', column: lastName },
  { name: 'Phone' },
  { name: 'JobTitle' },
  { name: 'Version', column: profileVersion(firstName, lastName, sql`a.phone`, sql`a.job_title`) },
]);

export const profile = ofAccount.schema;
type Profile = Readonly<Record<(typeof names)[number], string>>;

const pathOf = ({ customerId, userId }: Person) => ({ customerId: String(customerId), userId: String(userId) });

/** Reads the profile of a person: that of the user of a customer, or else that of the account. */
export async function readProfile(db: Database, caller: Caller, person: Person): Promise<Profile> {
  if (person.userId !== null)
    return (await readFields(db, withoutRowType(users), names, { caller, path: pathOf(person) })) as Profile;
  const accounts = db.selectFrom('accounts as a').select(ofAccount.columns);
  const rows = accounts.where('a.id', '=', person.accountId);
  return (await (db.isTransaction ? rows.forUpdate('a') : rows).executeTakeFirstOrThrow()) as Profile;
}

const inWords = ({ FirstName, LastName, Phone, JobTitle }: Omit<NewProfile, 'Version'>) => ({
  ...{ Name: `${FirstName} ${LastName}`.trim(), Phone, 'Job title': JobTitle },
});

/**
 * Changes the profile of a person. Their pages have the new name at once. A name that is left out stays.
 * @throws {CloudError} 409 where somebody has changed it since it was read
 */
export async function changeProfile(
  trx: Write,
  { caller, now }: { readonly caller: Caller; readonly now: Date },
  person: Person,
  body: NewProfile,
): Promise<void> {
  if (person.userId !== null) {
    await writeRow(withoutRowType(users), 'change', { trx, caller, now, body }, pathOf(person));
    return;
  }
  const before = await readProfile(trx, caller, person);
  if (body.Version !== undefined && body.Version !== before.Version)
    throw refuseConflict('ProfileChanged', { Name: person.name });
  const { FirstName = before.FirstName, LastName = before.LastName, Phone, JobTitle } = body;
  const after = { FirstName: FirstName.trim(), LastName: LastName.trim(), Phone, JobTitle: JobTitle.trim() };
  const said = inWords(after);
  await trx
    .updateTable('accounts')
    .set({ first_name: after.FirstName, last_name: after.LastName, display_name: said.Name })
    .set({ phone: Phone, job_title: after.JobTitle })
    .where('id', '=', person.accountId)
    .execute();
  const states = { before: inWords(before), after: said };
  await recordAccess(
    trx,
    { resellerId: person.resellerId, caller, now },
    { action: 'Profile changed', target: said.Name, ...states },
  );
  if (said.Name !== states.before.Name)
    await sendHint(trx, { account: Number(person.accountId) }, { kind: 'permissions-changed' });
}

import type { Write } from '../tables.ts';

const hours = 3_600_000;

const held = [
  ['user@contoso.test', 'sales@printer-toner-direct.test', 'Your quotation 48213 for toner', 5],
  ['user@contoso.test', 'newsletter@harbourside-events.test', 'Stand plan for the spring exhibition', 29],
  ['user@contoso.test', 'no-reply@parcel-updates.test', 'We could not deliver your parcel', 52],
  ['admin@contoso.test', 'accounts@brightwater-cleaning.test', 'Invoice 2207 attached', 8],
  ['admin@contoso.test', 'info@office-chairs-outlet.test', 'Half price until Sunday', 71],
] as const;

const asked = [
  ['user@contoso.test', 'search', 3],
  ['user@contoso.test', 'export', 20],
  ['admin@contoso.test', 'search', 6],
] as const;

/** Inserts seeded held-back mails and unconfirmed requests for access to the mail archive. */
export async function insertLinks(trx: Write, now: Date): Promise<void> {
  const ago = (count: number) => new Date(now.getTime() - count * hours);
  if (await trx.selectFrom('quarantined_mails').select('id').executeTakeFirst()) return;
  const people = await trx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', 'in', ['user@contoso.test', 'admin@contoso.test'])
    .orderBy('id')
    .execute();
  for (const { id: user_id, email } of people) {
    const mails = held.filter(([recipient]) => recipient === email);
    const requests = asked.filter(([who]) => who === email);
    await trx
      .insertInto('quarantined_mails')
      .values(mails.map(([, sender, subject, age]) => ({ user_id, sender, subject, received: ago(age) })))
      .execute();
    await trx
      .insertInto('archive_requests')
      .values(requests.map(([, access_type, age]) => ({ user_id, access_type, requested: ago(age) })))
      .execute();
  }
}

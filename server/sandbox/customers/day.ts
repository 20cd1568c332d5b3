import { type Day, timeOf } from '../days.ts';
import { endings, places, trades } from '../seed/large.ts';
import { firstNames, lastNames, towns } from '../seed/names.ts';
import { createRandom } from '../seed/random.ts';
import type { Write } from '../tables.ts';
import { findAccountManager } from './account-manager.ts';
import { differences, recordActivity } from './activity.ts';

/** Of a month, the day on which each reseller wins a customer. */
const dayOfMonth = 10;

/** Adds one customer to a reseller on the 10th of a month; nothing on other days, nor where the name is taken already. */
export async function addCustomerOfDay(trx: Write, reseller: number, day: Day): Promise<void> {
  if (day.start.getUTCDate() !== dayOfMonth) return;
  const random = createRandom(day.start.getTime() / 1000 + reseller);
  const place = random.pick(places.split(' ')) + random.pick(endings.split(' '));
  const name = `${place} ${random.pick(trades.split(','))}`;
  const contact = `${random.pick(firstNames)} ${random.pick(lastNames)}`;
  const domain = `${name.toLowerCase().replace(' ', '-')}.test`;
  const [town_city, county, postCode, numbers] = random.pick(towns);
  const at = timeOf(day, 9, random.between(0, 59));
  const manager = await findAccountManager(trx, reseller, '');
  const added = await trx
    .insertInto('customers')
    .values({
      id: random.uuid(),
      reseller_id: reseller,
      name,
      domain,
      contact_name: contact,
      contact_email: `office@${domain}`,
      phone: `${numbers}0${random.between(100, 999)}`,
      town_city,
      county,
      post_code: `${postCode}AB`,
      account_manager: manager?.displayName ?? '',
      created: at,
      last_change: at,
    })
    .onConflict(known => known.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) return;
  const told = differences({}, { Domain: domain, 'Contact name': contact, 'Contact email': `office@${domain}` });
  await recordActivity(trx, added.id, manager, at, { action: 'Customer created', target: name, ...told });
}

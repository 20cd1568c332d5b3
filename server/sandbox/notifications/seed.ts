import type { Action } from '../customers/activity.ts';
import { endings, notificationOf } from '../services/endings.ts';
import { isProductOf } from '../services/held.ts';
import type { Write } from '../tables.ts';

/** Accounts that have notifications, with how many, and how many of them are still new. */
const readers = [
  { username: 'reseller@northwind.test', count: 25, fresh: 7 },
  { username: 'engineer@northwind.test', count: 12, fresh: 3 },
  { username: 'rival@southridge.test', count: 6, fresh: 2 },
];

const announcements = [
  {
    content: 'Mails that ask for your password are going around. We never ask for it, neither by mail nor by phone.',
    category: 'warning' as const,
    user_types: ['reseller' as const, 'admin' as const],
  },
  {
    content: 'Mailboxes of up to 100 GB are here. Ask your provider.',
    category: 'info' as const,
    user_types: ['reseller' as const, 'endUserAdmin' as const, 'endUser' as const],
  },
];

/** Told once to everybody of a type, until they say that it shall not be shown again. */
const productAnnouncements = [
  {
    published: new Date('2026-01-12T09:00:00Z'),
    title: 'Device Protection is here',
    content: 'It guards laptops and phones, and can be ordered by the month.',
    button_text: 'Show me, and do not show this again',
    button_route: '/marketplace?type=security',
    user_types: ['reseller' as const],
  },
];

/** Inserts seeded announcements of products, which users are shown in a popup until they dismiss them. */
export async function insertProductAnnouncements(trx: Write): Promise<void> {
  await trx.insertInto('product_announcements').values(productAnnouncements).execute();
}

/**
 * Inserts seeded notices for the strip below the header, and notifications about the latest events in the seeded
 * activity.
 */
export async function insertNotifications(trx: Write): Promise<void> {
  await trx.insertInto('announcements').values(announcements).execute();
  const told = new Map(Object.values(endings).map(ending => [ending.action, ending]));
  for (const { username, count, fresh } of readers) {
    const events = await trx
      .selectFrom('activity as happened')
      .innerJoin('customers as c', 'c.id', 'happened.customer_id')
      .innerJoin('accounts as reader', 'reader.reseller_id', 'c.reseller_id')
      .where('reader.username', '=', username)
      .where('happened.action', 'in', [...told.keys()])
      .select(['reader.id as account_id', 'happened.at', 'action', 'target', 'detail', 'c.name as customer'])
      .select(({ selectFrom }) => [
        'c.organisation_id',
        selectFrom('service_instances as i')
          .innerJoin('products as p', join => join.on(isProductOf('i')))
          .whereRef('i.customer_id', '=', 'c.id')
          .whereRef('p.name', '=', 'happened.target')
          .select(({ fn }) => fn.max('i.id').as('id'))
          .as('instance_id'),
      ])
      .orderBy('happened.at', 'desc')
      .orderBy('happened.id', 'desc')
      .limit(count)
      .execute();
    const rows = events.map(({ account_id, at, action, target, detail, customer, ...subject }, index) => ({
      ...notificationOf(told.get(action as Action)!, target, customer, detail),
      ...subject,
      account_id,
      created: at,
      status: index < fresh ? ('new' as const) : ('read' as const),
    }));
    await trx.insertInto('notifications').values(rows.reverse()).execute();
  }
}

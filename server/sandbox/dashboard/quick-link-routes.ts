import { view } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, object, partial } from '../http/schema.ts';
import type { Parts } from '../parts.ts';

const links = ['AddCustomer', 'Marketplace', 'CloudServices', 'Agreements', 'CallBack', 'Profile'] as const;
type Link = (typeof links)[number];
const atFirst: readonly string[] = ['AddCustomer', 'Marketplace', 'CallBack'] satisfies Link[];

const properties = Object.fromEntries(links.map(name => [name, boolean])) as Record<Link, typeof boolean>;
const choice = partial(properties);

/**
 * Adds the routes that read and change the quick links of the caller's dashboard (document 1, section 2.6). A change
 * names all chosen links.
 */
export function addQuickLinkRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['dashboard'], needs: view('home') });

  const path = '/api/quick-links';
  route(`GET ${path}`, { reply: object(properties) }, async ({ caller }) => {
    const row = await db
      .selectFrom('quick_links')
      .select('chosen')
      .where('account_id', '=', caller.accountId)
      .executeTakeFirst();
    const chosen = row?.chosen ?? atFirst;
    return Object.fromEntries(links.map(name => [name, chosen.includes(name)]));
  });

  route(`PUT ${path}`, { body: choice }, async ({ caller, body }) => {
    const row = { chosen: links.filter(name => body[name]) };
    await db
      .insertInto('quick_links')
      .values({ account_id: caller.accountId, ...row })
      .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
      .execute();
    return 'Your quick links are saved.';
  });
}

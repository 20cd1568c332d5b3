import { view } from '../auth/needs.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, boolean, object } from '../http/schema.ts';
import type { Parts } from '../parts.ts';

const links = ['AddCustomer', 'Marketplace', 'CloudServices', 'Agreements', 'CallBack', 'Profile'] as const;
type Link = (typeof links)[number];
const atFirst: readonly string[] = ['AddCustomer', 'Marketplace', 'CallBack'] satisfies Link[];

const properties = Object.fromEntries(links.map(name => [name, boolean])) as Record<Link, typeof boolean>;
const choice = { ...object(properties), required: [] } as const;
const config = { needs: view('home') };
const tags = ['dashboard'];

/**
 * Adds the routes that read and change the quick links of the caller's dashboard (document 1, section 2.6). A change
 * names all chosen links.
 */
export function addQuickLinkRoutes(app: App, { db }: Parts): void {
  const path = '/api/quick-links';
  app.get(path, { config, schema: { tags, response: replies(object(properties)) } }, async ({ signedIn }) => {
    const row = await db
      .selectFrom('quick_links')
      .select('chosen')
      .where('account_id', '=', signedIn.accountId)
      .executeTakeFirst();
    const chosen = row?.chosen ?? atFirst;
    return succeed(Object.fromEntries(links.map(name => [name, chosen.includes(name)])));
  });

  app.put(path, { config, schema: { tags, body: choice, response: replies() } }, async ({ signedIn, body }) => {
    const row = { chosen: links.filter(name => body[name]) };
    await db
      .insertInto('quick_links')
      .values({ account_id: signedIn.accountId, ...row })
      .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
      .execute();
    return done('Your quick links are saved.');
  });
}

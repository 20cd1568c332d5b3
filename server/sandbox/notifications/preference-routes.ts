import { anyone, inPerson } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, object, partial } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Category } from './tables.ts';

const categories = ['danger', 'warning', 'success', 'info'] as const satisfies readonly Category[];
const ways = ['bell', 'mail', 'digest'] as const;
type Choices = Readonly<Record<string, boolean>>;

const capital = (word: string): string => `${word[0]!.toUpperCase()}${word.slice(1)}`;
const nameOf = (category: Category, way: (typeof ways)[number]): string => `${capital(category)}${capital(way)}`;
const names = categories.flatMap(category => ways.map(way => nameOf(category, way)));
const properties = Object.fromEntries(names.map(name => [name, boolean])) as Record<string, typeof boolean>;
/** How everybody is told who has chosen nothing. */
const atFirst = { bell: true, mail: false, digest: false };

/**
 * Adds the routes that read and change how the caller is told of notifications: each category in the bell, by mail, in
 * the digest of a day. What is left out stays.
 */
export function addPreferenceRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['notifications'], needs: anyone });
  const path = '/api/account-settings/notifications';
  const read = async (accountId: number): Promise<Choices> => {
    const rows = await db.selectFrom('notification_ways').selectAll().where('account_id', '=', accountId).execute();
    const entries = categories.flatMap(category => {
      const chosen = rows.find(row => row.category === category) ?? atFirst;
      return ways.map(way => [nameOf(category, way), chosen[way]] as const);
    });
    return Object.fromEntries(entries);
  };

  route(`GET ${path}`, { reply: object(properties) }, ({ caller }) => read(caller.accountId));
  route(`PUT ${path}`, { needs: inPerson, body: partial(properties) }, async ({ caller, body }) => {
    const { accountId: account_id } = caller;
    const chosen: Choices = { ...(await read(account_id)), ...(body as Choices) };
    const rows = categories.map(category => ({
      ...{ account_id, category, bell: chosen[nameOf(category, 'bell')] === true },
      ...{ mail: chosen[nameOf(category, 'mail')] === true, digest: chosen[nameOf(category, 'digest')] === true },
    }));
    await db
      .insertInto('notification_ways')
      .values(rows)
      .onConflict(conflict =>
        conflict.columns(['account_id', 'category']).doUpdateSet(({ ref }) => ({
          ...{ bell: ref('excluded.bell'), mail: ref('excluded.mail'), digest: ref('excluded.digest') },
          ...{ mail_stopped: null, digest_stopped: null },
        })),
      )
      .execute();
    return 'Your choices are saved.';
  });
}

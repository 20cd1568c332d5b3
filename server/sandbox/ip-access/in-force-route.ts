import { anyone } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, id, list, object, orNull, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';

const rule = object({ Id: { type: 'integer' }, Kind: string, Value: string, Does: string, Until: orNull(string) });

/**
 * Adds the route by which a portal reads the rules that hold for its caller (`addressRules` of the login user), so that it
 * judges each request itself. Notes and names are left out: everybody reads this, and they say who is where.
 */
export function addInForceRoute(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['ip-access'], needs: anyone });
  const reply = list(object({ Id: id, On: boolean, Elsewhere: string, Rules: list(rule) }));
  route('GET /api/IpLockdown/in-force', { reply, withoutRecord: true }, async ({ caller: { addressRules } }) => {
    if (addressRules.length === 0) return [];
    const found = db.selectFrom('ip_access_sets').select(['id', 'rules']).where('id', 'in', addressRules);
    return (await found.execute()).map(({ id, rules: { On, Elsewhere, Rules } }) => ({ Id: id, On, Elsewhere, Rules }));
  });
}

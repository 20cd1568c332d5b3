import { view } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import type { App } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { holders, holdersQuery, listHolders, listMine, mine, mineQuery } from './mine.ts';

/**
 * Adds two routes: the products that the caller's customers have, with counts and monthly spend, and the customers and
 * users that have one product.
 */
export function addMyServicesRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['services'], needs: view('manageService') });

  route('GET /api/services', { query: mineQuery, reply: mine }, ({ caller, query }) => listMine(db, caller, query));

  route(
    'GET /api/services/:serviceId/:subId/customers',
    { query: holdersQuery, reply: holders },
    ({ caller, params, query }) => listHolders(db, caller, params, query),
  );
}

import { view } from '../auth/needs.ts';
import { routesOf } from '../http/route.ts';
import { type App, boolean, integer, list, money, object, orNull, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { holders, holdersQuery, listHolders, listMine, mineQuery } from './mine.ts';

const mine = object({
  Id: string,
  ServiceId: integer,
  SubId: integer,
  CloudMarketId: integer,
  Name: string,
  Icon: string,
  GroupId: orNull(integer),
  NewJourney: boolean,
  JourneyType: string,
  ListingId: orNull(string),
  Type: string,
  Customers: integer,
  Active: integer,
  Changing: integer,
  Failed: integer,
  MonthlySpend: money,
  Currency: string,
});
/**
 * Adds two routes: the products that the caller's customers have, with counts and monthly spend, and the customers and
 * users that have one product.
 */
export function addMyServicesRoutes(app: App, { db }: Parts): void {
  const route = routesOf(app, db, { tags: ['services'], needs: view('manageService') });

  route(
    'GET /api/services',
    { query: mineQuery, reply: object({ Items: list(mine), Total: integer }) },
    ({ caller, query }) => listMine(db, caller, query),
  );

  route(
    'GET /api/services/:serviceId/:subId/customers',
    { query: holdersQuery, reply: holders },
    ({ caller, params, query }) => listHolders(db, caller, params, query),
  );
}

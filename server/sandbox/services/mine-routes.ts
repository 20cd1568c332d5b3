import { serviceTypes } from '../../../shared/catalogue/codes.ts';
import { view } from '../auth/needs.ts';
import { routesOf } from '../http/route.ts';
import {
  type App,
  boolean,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  pageQuery,
  partial,
  search,
  string,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { listHolders, listMine } from './mine.ts';

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
const holder = object({
  CustomerId: id,
  Name: string,
  UserName: orNull(string),
  Status: string,
  StatusGroup: string,
  Reason: orNull(string),
  Quantity: integer,
  MonthlyPrice: money,
  Currency: string,
  InstanceId: id,
});
const product = object({ ServiceId: integer, SubId: integer, Name: string, Icon: string });
const status = { enum: ['Active', 'Changing', 'Failed'] } as const;
const mineQuery = partial({
  status,
  type: { enum: ['all', ...serviceTypes], default: 'all' },
  search,
  sort: { enum: ['Name', '-Name', 'Customers', '-Customers', 'MonthlySpend', '-MonthlySpend'], default: 'Name' },
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
    {
      query: pageQuery({ search, status }, 1000),
      reply: object({ Product: product, Items: list(holder), Total: integer }),
    },
    ({ caller, params, query }) => listHolders(db, caller, params, query),
  );
}

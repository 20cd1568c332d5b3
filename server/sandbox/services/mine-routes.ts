import { serviceTypes } from '../../../shared/catalogue/codes.ts';
import { view } from '../auth/needs.ts';
import { replies, succeed } from '../http/reply.ts';
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
  params,
  string,
  text,
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
const mineQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    status,
    type: { enum: ['all', ...serviceTypes], default: 'all' },
    search: { ...text(200), default: '' },
    sort: { enum: ['Name', '-Name', 'Customers', '-Customers', 'MonthlySpend', '-MonthlySpend'], default: 'Name' },
  },
} as const;
const tags = ['services'];
const config = { needs: view('manageService') };

/**
 * Adds two routes: the products that the caller's customers have, with counts and monthly spend, and the customers and
 * users that have one product.
 */
export function addMyServicesRoutes(app: App, { db }: Parts): void {
  app.get(
    '/api/services',
    {
      config,
      schema: { tags, querystring: mineQuery, response: replies(object({ Items: list(mine), Total: integer })) },
    },
    async ({ signedIn, query }) => succeed(await listMine(db, signedIn, query)),
  );

  app.get(
    '/api/services/:serviceId/:subId/customers',
    {
      config,
      schema: {
        tags,
        params: params('serviceId', 'subId'),
        querystring: pageQuery({ search: { ...text(200), default: '' }, status }, 1000),
        response: replies(object({ Product: product, Items: list(holder), Total: integer })),
      },
    },
    async ({ signedIn, params, query }) => succeed(await listHolders(db, signedIn, params, query)),
  );
}

import { sql } from 'kysely';
import { searchKey } from '../../../shared/rules/search-key.ts';
import type { Caller } from '../auth/caller.ts';
import { anyOf, readsCustomers } from '../auth/needs.ts';
import { findInvoices } from '../billing/documents.ts';
import { seesBilling } from '../billing/permit.ts';
import { routeAdder } from '../http/route.ts';
import { type App, day, id, integer, list, object, orNull, string, text } from '../http/schema.ts';
import { visibleProducts } from '../marketplace/products.ts';
import { orderNumber } from '../orders/place.ts';
import type { Parts } from '../parts.ts';
import { containing, isShort, searchKeyOf } from '../search.ts';
import { isProductOf } from '../services/held.ts';
import type { Database } from '../tables.ts';
import { suggestCustomers } from './read.ts';
import { isVisibleTo } from './scope.ts';

/** Hits of a kind that are given at most. */
const mostHits = 5;

const hits = object({
  Customers: list(object({ OrganisationId: id, Name: string, Status: string })),
  Users: list(object({ UserId: id, OrganisationId: id, Name: string, CustomerName: string })),
  Services: list(object({ Id: id, ServiceId: integer, SubId: integer, Name: string, Icon: string })),
  Orders: list(
    object({
      OrderNumber: id,
      OrganisationId: id,
      CustomerName: string,
      InstanceId: orNull(id),
      Name: string,
    }),
  ),
  Invoices: list(object({ Id: id, Issued: day, Status: string })),
});
const query = object({ words: text(200) });

/** Adds the route that finds customers, users, products, orders and invoices by words; a few of each. */
export function addSearchRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['customers'], needs: anyOf(readsCustomers, seesBilling) });

  route('GET /api/search', { query, reply: hits }, async ({ caller, query: { words } }) => {
    const found = { Customers: [], Users: [], Services: [], Orders: [], Invoices: [] };
    if (words.trim() === '') return found;
    return {
      ...found,
      ...(readsCustomers.isMet(caller, {}) && (await findAtCustomers(db, caller, words.trim()))),
      ...(seesBilling.isMet(caller, {}) && {
        Invoices: await findInvoices(db, caller, words.trim(), mostHits, now()),
      }),
    };
  });
}

async function findAtCustomers(db: Database, caller: Caller, words: string) {
  const wanted = searchKey(words);
  return {
    Customers: (await suggestCustomers(db, caller, words)).slice(0, mostHits),
    Users: await findUsers(db, caller, words),
    Services: (await visibleProducts(db, caller))
      .filter(({ name }) => searchKey(name).includes(wanted))
      .slice(0, mostHits)
      .map(({ key, serviceId, subId, name, icon }) => ({
        ...{ Id: key, ServiceId: serviceId, SubId: subId, Name: name, Icon: icon },
      })),
    Orders: await findOrders(db, caller, words),
  };
}

/** By name or address; a trigram index finds no text of one or two characters. */
async function findUsers(db: Database, caller: Caller, words: string) {
  if (isShort(words)) return [];
  return await db
    .selectFrom('users as u')
    .innerJoin('customers as c', 'c.id', 'u.customer_id')
    .where(isVisibleTo(caller))
    .where(searchKeyOf(sql`u.display_name || chr(10) || u.email`), 'like', containing(words))
    .select(['u.id as UserId', 'c.organisation_id as OrganisationId', 'u.display_name as Name'])
    .select('c.name as CustomerName')
    .orderBy('u.display_name')
    .orderBy('u.id')
    .limit(mostHits)
    .execute();
}

/** By the number of an order, with or without its letters. */
async function findOrders(db: Database, caller: Caller, words: string) {
  const number = /^(?:ord-)?0*([1-9]\d{0,14})$/i.exec(words)?.[1];
  if (number === undefined) return [];
  const rows = await db
    .selectFrom('orders as o')
    .innerJoin('customers as c', 'c.id', 'o.customer_id')
    .innerJoin('products as p', join => join.on(isProductOf('o')))
    .where(isVisibleTo(caller))
    .where('o.id', '=', Number(number))
    .select(['o.id', 'o.instance_id as InstanceId', 'c.organisation_id as OrganisationId'])
    .select(['c.name as CustomerName', 'p.name as Name'])
    .execute();
  return rows.map(({ id: order, ...row }) => ({ OrderNumber: orderNumber(order), ...row }));
}

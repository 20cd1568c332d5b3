import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { readsServices } from '../auth/needs.ts';
import { idOfDocument } from '../billing/documents.ts';
import { seesBilling } from '../billing/permit.ts';
import { isVisibleTo, visibleCustomer } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { orderNumberIn } from '../orders/place.ts';
import type { Database } from '../tables.ts';

/** From where a ticket is opened. */
export const contextKinds = ['', 'Service', 'Order', 'Line', 'Page'] as const;
export type Origin = {
  readonly Kind: (typeof contextKinds)[number];
  /** Of a service or a line of an invoice its id, of an order its number. */
  readonly Of: string;
  /** Of a page: its address in the portal, and the number of the invoice or the error that it shows. */
  readonly Screen: string;
  readonly Reference: string;
};

/** Facts of the place where a ticket is opened; '' stands for nothing. */
export type Context = {
  readonly OrganisationId: string | null;
  readonly CustomerName: string | null;
  readonly UserId: string | null;
  readonly Product: string;
  readonly Screen: string;
  readonly Reference: string;
  readonly Failure: string;
};

const nothing: Context = {
  ...{ OrganisationId: null, CustomerName: null, UserId: null },
  ...{ Product: '', Screen: '', Reference: '', Failure: '' },
};

/** Reads what a line of an invoice is about. @throws {CloudError} 404 for one that the caller does not see */
async function readLineContext(db: Database, caller: Caller, key: string): Promise<Context> {
  if (!seesBilling.isMet(caller, {})) throw notFound();
  const { rows } = await sql<{ invoice: string; organisation: string | null; customer: string; service: string }>`
    select ${idOfDocument('i')} as invoice, l.service, l.customer,
      (select c.organisation_id::text from customers c where c.id = l.customer_id) as organisation
    from invoice_lines l join invoices i on i.id = l.invoice_id
    where l.id = ${idOf(key)} and i.kind = 'Invoice' and i.reseller_id = ${caller.resellerId}`.execute(db);
  const [line] = rows;
  if (!line) throw notFound();
  return {
    ...nothing,
    OrganisationId: line.organisation,
    CustomerName: line.customer,
    Product: line.service.slice(0, 100),
    Screen: `/billing/invoices/invoice-detail/${line.invoice}/lines/${key}`,
    Reference: line.invoice,
  };
}

/** Finds the customer whose page this is; nothing on other pages, or where the caller does not see the customer. */
async function customerOfScreen(
  db: Database,
  caller: Caller,
  screen: string,
): Promise<Pick<Context, 'OrganisationId' | 'CustomerName'> | undefined> {
  const number = /^\/customers\/customer\/(\d{1,15})(?![^+/?])/.exec(screen)?.[1];
  if (number === undefined) return undefined;
  return await visibleCustomer(db, caller, number)
    .select([sql<string>`c.organisation_id::text`.as('OrganisationId'), 'c.name as CustomerName'])
    .executeTakeFirst();
}

/** An address of the portal itself, and of no other site. */
export const screenPattern = '^(?:/(?![/\\\\])[^\\s\\\\]{0,490})?$';

/**
 * Reads what there is to say of the place where the caller opens a ticket: the cloud says it of a service, an order and a
 * line of an invoice, the page that was open of itself.
 * @throws {CloudError} 404 for what the caller does not see
 */
export async function readContext(
  db: Database,
  caller: Caller,
  { Kind, Of, Screen, Reference }: Origin,
): Promise<Context> {
  if (Kind === '') return nothing;
  if (Kind === 'Page') return { ...nothing, ...(await customerOfScreen(db, caller, Screen)), Screen, Reference };
  if (Kind === 'Line') return await readLineContext(db, caller, Of);
  if (!readsServices.isMet(caller, {})) throw notFound();
  const isService = Kind === 'Service';
  const number = sql<string>`${orderNumberIn('o.id')}`;
  const wanted = isService ? sql`i.id = ${idOf(Of)}` : sql`o.id = ${idOf(Of.replace(/^ORD-0*/, ''))}`;
  const { rows } = await sql<{
    readonly organisation: string;
    readonly customer: string;
    readonly user: string | null;
    readonly product: string;
    readonly instance: string | null;
    readonly order: string | null;
    readonly failure: string | null;
  }>`
    select c.organisation_id::text as organisation, c.name as customer, i.user_id::text as user, p.name as product,
      i.id::text as instance, ${number} as "order", i.reason as failure
    from ${isService ? sql`service_instances i left join orders o on o.id = i.order_id` : sql`orders o left join service_instances i on i.id = o.instance_id`}
    join customers c on c.id = ${isService ? sql`i.customer_id` : sql`o.customer_id`}
    join products p on (p.service_id, p.sub_id) = ${isService ? sql`(i.service_id, i.sub_id)` : sql`(o.service_id, o.sub_id)`}
    where ${isVisibleTo(caller)} and ${wanted}`.execute(db);
  const found = rows[0];
  if (!found) throw notFound();
  return {
    OrganisationId: found.organisation,
    CustomerName: found.customer,
    UserId: found.user,
    Product: found.product,
    Screen:
      found.instance === null ? '/orders' : `/customers/customer/${found.organisation}/services/${found.instance}`,
    Reference: found.order ?? '',
    Failure: found.failure ?? '',
  };
}

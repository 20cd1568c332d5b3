import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { TypeOf } from '../http/route.ts';
import { day, id, integer, list, money, object, orNull, pageQuery, string } from '../http/schema.ts';
import { fields } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import type { Database } from '../tables.ts';
import { idOfDocument, kind, year } from './documents.ts';

const historyKinds = ['InvoiceIssued', 'InvoicePaid', 'PaymentFailed', 'CreditMemoIssued', 'CreditMemoUsed'] as const;
export const historyQuery = pageQuery({ what: { enum: historyKinds }, year });
const event = fields('e', [
  { name: 'Id', shape: id, column: sql`e.what || ' ' || ${idOfDocument('i')} || e.payment` },
  { name: 'What', shape: { ...string, enum: historyKinds } },
  { name: 'Day', shape: day },
  { name: 'DocumentId', shape: id, column: idOfDocument('i') },
  { name: 'Kind', shape: kind },
  { name: 'OtherId', shape: orNull(id), column: idOfDocument('o') },
  {
    name: 'InvoiceId',
    shape: orNull(id),
    column: sql`case i.kind when 'Invoice' then ${idOfDocument('i')} else ${idOfDocument('o')} end`,
  },
  { name: 'MemoId', shape: orNull(id), column: sql`case i.kind when 'CreditMemo' then ${idOfDocument('i')} end` },
  { name: 'Amount', shape: money },
  { name: 'Currency', column: sql`r.currency` },
]);
export const history = object({ Items: list(event.schema), Total: integer });

/** Lists a page of what happened to a reseller's invoices and credit memos (such as payments), the newest first. */
export const readHistory = (db: Database, { resellerId }: Caller, query: TypeOf<typeof historyQuery>) =>
  listPage(db, query, {
    fields: event,
    from: sql`(
      select 'InvoiceIssued' as what, i.issued as day, i.id, i.gross as amount, i.kind, '' as payment from invoices i
      where i.reseller_id = ${resellerId} and i.kind = 'Invoice'
      union all
      select case p.status when 'Paid' then 'InvoicePaid' else 'PaymentFailed' end,
        (p.settled at time zone 'UTC')::date, i.id, (p.amount::numeric / 100)::numeric(14, 2), i.kind, ' ' || p.id
      from payments p join invoices i on i.id = p.invoice_id
      where i.reseller_id = ${resellerId} and p.status <> 'Pending'
      union all
      select 'CreditMemoIssued', i.issued, i.id, i.gross, i.kind, '' from invoices i
      where i.reseller_id = ${resellerId} and i.kind = 'CreditMemo'
      union all
      select 'CreditMemoUsed', i.issued, i.id, i.prepaid, i.kind, '' from invoices i
      where i.reseller_id = ${resellerId} and i.kind = 'CreditMemo' and i.used_on is not null
    ) e
    join invoices i on i.id = e.id
    join resellers r on r.id = i.reseller_id
    left join invoices o
      on o.id = case e.what when 'CreditMemoUsed' then i.used_on when 'CreditMemoIssued' then i.against end`,
    filters: {
      what: what => sql`e.what = ${what}`,
      year: year => sql`extract(year from e.day) = ${year}::int`,
    },
    order: sql`e.day desc, e.what desc, e.id desc, e.payment desc`,
  });

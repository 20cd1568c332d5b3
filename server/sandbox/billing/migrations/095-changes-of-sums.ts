/** The 100,000 sums of a document in the order of their changes, and the documents with a name, read from indexes. */
export const changesOfSums = `
-- Since the document of the same kind before; a process of the release before bills without it.
alter table invoice_groups add column change numeric(14, 2) not null default 0;
update invoice_groups g set change = g.amount - coalesce(b.amount, 0)
from (
  select id, lag(id) over (partition by reseller_id, kind order by period) as before from invoices
) i
join invoice_groups a on a.invoice_id = i.id
left join invoice_groups b on b.invoice_id = i.before and b.kind = a.kind and b.key = a.key
where g.invoice_id = a.invoice_id and g.kind = a.kind and g.key = a.key;
create index invoice_groups_changes on invoice_groups (invoice_id, kind, change desc, key) include (search_text);
-- Finds the documents on which a name stands that few have.
create index invoice_groups_names on invoice_groups using gin (search_text gin_trgm_ops);
`;

/** SQL over a row `t`: whether a customer is one of those that the account of the connection sees. */
const isSeen = (customer: string) => `exists (
  select from account_customers k
  where k.account_id = current_setting('sandbox.account')::bigint and k.customer_id = ${customer})`;
const isOwn = `t.account_id = current_setting('sandbox.account')::bigint`;
/** SQL over a row `t` that belongs to the row of another view. */
const isOf = (view: string, column: string) => `exists (select from limited.${view} p where p.id = t.${column})`;
const orNone = (column: string) => `(t.${column} is null or ${isSeen(`t.${column}`)})`;

/**
 * The condition, over a row `t`, for the rows that a limited account sees of each table that holds something of
 * customers. A later one may build on the view of an earlier one.
 */
export const limitedTables: Readonly<Record<string, string>> = {
  customers: isSeen('t.id'),
  account_customers: isSeen('t.customer_id'),
  account_customer_counts: isOwn,
  users: isSeen('t.customer_id'),
  deleted_users: isSeen('t.customer_id'),
  service_instances: isSeen('t.customer_id'),
  orders: isSeen('t.customer_id'),
  bulk_items: isSeen('t.customer_id'),
  bulk_orders: `exists (select from limited.bulk_items p where p.bulk_id = t.id)`,
  customer_bundles: isSeen('t.customer_id'),
  customer_bundle_parts: isOf('service_instances', 'instance_id'),
  distribution_groups: isSeen('t.customer_id'),
  group_members: isOf('distribution_groups', 'group_id'),
  group_people: isOf('distribution_groups', 'group_id'),
  mail_contacts: isSeen('t.customer_id'),
  mail_recoveries: isSeen('t.customer_id'),
  organisation_domains: isSeen('t.customer_id'),
  security_domains: isSeen('t.customer_id'),
  security_entries: isSeen('t.customer_id'),
  security_files: isSeen('t.customer_id'),
  security_file_lines: isOf('security_files', 'file_id'),
  popup_records: isSeen('t.customer_id'),
  usage_files: isSeen('t.customer_id'),
  usage_subscriptions: isSeen('t.customer_id'),
  user_imports: isSeen('t.customer_id'),
  user_import_rows: isOf('user_imports', 'import_id'),
  voice_orders: isSeen('t.customer_id'),
  psa_report_rows: isSeen('t.customer_id'),
  // A ticket about no customer is seen by its author alone.
  tickets: `case when t.customer_id is null then ${isOwn} else ${isSeen('t.customer_id')} end`,
  ticket_messages: isOf('tickets', 'ticket_id'),
  // Of a ticket that is still being written, those of its author.
  ticket_files: `case when t.ticket_id is null then ${isOwn} else ${isOf('tickets', 'ticket_id')} end`,
  ticket_file_parts: isOf('ticket_files', 'file_id'),
  jobs: isOf('service_instances', 'instance_id'),
  user_services: isOf('users', 'user_id'),
  mailboxes: isSeen('t.customer_id'),
  mail_addresses: isSeen('t.customer_id'),
  mail_settings: isSeen('t.customer_id'),
  mail_forwards: isSeen('t.customer_id'),
  mail_security: isSeen('t.customer_id'),
  mailbox_permissions: isOf('mailboxes', 'mailbox_id'),
  mail_permission_changes: isSeen('t.customer_id'),
  recoverable_mails: isOf('users', 'user_id'),
  quarantined_mails: isOf('users', 'user_id'),
  customer_import_rows: orNone('customer_id'),
  // The staff, and the administrators and users of the customers that are seen.
  accounts: orNone('customer_id'),
  staff: orNone('customer_id'),
  // An event that is about no customer may name one all the same: "Customer deleted".
  activity: `case when t.customer_id is null then ${isOwn} else ${isSeen('t.customer_id')} end`,
  notifications: `(t.organisation_id is null
    or exists (select from limited.customers p where p.organisation_id = t.organisation_id))`,
};

/**
 * The list of customers as a limited account has it, and sums that are kept per reseller, from the rows of its own
 * (`190-limited-lists`).
 */
export const limitedSums: Readonly<Record<string, string>> = {
  customer_keys: `
    select k.customer_id as id,
      (select a.reseller_id from accounts a where a.id = current_setting('sandbox.account')::bigint) as reseller_id,
      k.name, k.status, k.status_group, k.services, k.users, k.monthly_spend, k.last_change,
      k.suspended, k.partner_id
    from account_customers k where k.account_id = current_setting('sandbox.account')::bigint`,
  customer_counts: `
    select a.reseller_id, k.status_group, k.customers, k.users, k.monthly_spend
    from accounts a join account_customer_counts k on k.account_id = a.id
    where a.id = current_setting('sandbox.account')::bigint`,
};

/**
 * Tables that sum all customers of a reseller up and cannot be taken apart. A limited account sees none of their rows.
 * Invoices are not among them: rules of usage and services read them, and their screens are refused by
 * `auth/held-views.ts`.
 */
export const sumsOfAll: readonly string[] = ['monthly_figures'];

/**
 * Gives the SQL that makes the schema of these views, anew. Every view that filters one table can be written through;
 * `select *` stands for the columns as they are now, so that each migration drops the schema (`dropViews`) and the last
 * one makes it again, in the transaction of them all.
 */
export function makeViews(): string {
  const filtered = Object.entries(limitedTables).map(([name, rows]) => [
    name,
    `select t.* from ${name} t where ${rows}`,
  ]);
  const nothing = sumsOfAll.map(name => [name, `select t.* from ${name} t where false`]);
  const views = [...filtered, ...Object.entries(limitedSums), ...nothing];
  const statements = views.map(([name, query]) => `create view limited.${name} as ${query}`);
  return `
do $make$
declare
  views text := current_schema() || '_limited';
  statement text;
begin
  execute format('drop schema if exists %I cascade', views);
  execute format('create schema %I', views);
  foreach statement in array array[${statements.map(statement => `$view$${statement}$view$`).join(', ')}] loop
    execute replace(statement, 'limited.', quote_ident(views) || '.');
  end loop;
end $make$`;
}

/** SQL that drops them, since they hold the columns of the tables in place. */
export const dropViews = `
do $drop$ begin execute format('drop schema if exists %I cascade', current_schema() || '_limited'); end $drop$;`;

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { limitedSums, limitedTables, sumsOfAll } from '../../server/sandbox/limits/views.ts';
import { customerCalls } from '../fixtures/customer-calls.ts';
import { limitAccount } from '../fixtures/limit-account.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { type Reply, withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
/** Of the reseller's people: one who sees all, and one with the same rights who sees Contoso alone. */
let all: string;
let limited: string;
const limitedName = 'second@northwind.test';
const seen = 10001;
const unseen = 10002;
setUp(async () => {
  const { db } = sandbox;
  await sql`
    with made as (
      insert into accounts (username, email, display_name, user_type, password_hash, reseller_id)
      select ${limitedName}, ${limitedName}, 'Second', user_type, password_hash, reseller_id
      from accounts where username = 'reseller@northwind.test' returning id)
    insert into account_permissions (account_id, views, permissions)
    select made.id, p.views, p.permissions from made, account_permissions p
    join accounts a on a.id = p.account_id where a.username = 'reseller@northwind.test'`.execute(db);
  await limitAccount(db, limitedName, [seen]);
  all = await sandbox.signIn('reseller@northwind.test');
  limited = await sandbox.signIn(limitedName);
});

const get = async (token: string, path: string) => (await sandbox.call(token, 'GET', path)).body.Result;

/** Tables that hold nothing of a customer, or nothing that is not reached through a table that is limited. */
const others: Readonly<Record<string, readonly string[]>> = {
  'of accounts, which are limited': [
    ...[
      'access_requests',
      'account_permissions',
      'account_right_ends',
      'account_roles',
      'departures',
      'former_sign_in_names',
      'agreement_signatures',
      'announcement_closings',
      'brand_drafts',
      'feature_overrides',
      'notification_ways',
      'notification_digests',
    ],
    ...['form_submissions', 'grants', 'idempotency_keys', 'identities', 'invitations', 'jump_tokens', 'opt_outs'],
    ...['partner_sessions', 'password_links', 'product_announcement_answers', 'quick_links', 'recovery_codes'],
    ...['refresh_tokens', 'signature_images', 'address_uses', 'api_keys', 'kb_openings', 'kb_votes', 'ratings'],
    ...['network_subscribers', 'file_links'],
    ...['chat_messages', 'chat_visits'],
  ],
  'of a row that is limited, by whose id alone they are read': [
    ...['activity_users', 'usage_days', 'usage_file_changes', 'usage_file_sums', 'usage_groups', 'usage_meter_days'],
    ...['usage_resource_days', 'usage_resources', 'usage_staged', 'voice_order_hardware', 'voice_sites'],
  ],
  'a catalogue or a rule of the cloud': [
    ...['kb_articles', 'kb_categories', 'kb_misses', 'network_components', 'network_events', 'rating_features'],
    ...['related_links', 'site_tokens', 'dns_records', 'forum_answers', 'forum_questions'],
    ...['agreement_versions', 'agreements', 'announcements', 'bundle_parts', 'bundles', 'feature_flags'],
    ...['password_rules', 'policies', 'policy_sections', 'product_announcements', 'products', 'settings'],
    ...['usage_meters', 'voice_delivery_options', 'voice_hardware'],
  ],
  'of a reseller as a whole, a matter of rights': [
    ...['reseller_prices', 'resellers', 'roles', 'sign_in_rules', 'customer_imports', 'customer_names'],
    ...['reseller_services', 'approvals', 'approval_demands', 'ip_access', 'ip_access_sets'],
    ...['brands', 'brand_addresses', 'brand_logos', 'companies', 'integration_checks', 'reseller_settings'],
  ],
  'of billing and the PSA, whose views a limited account does not hold': [
    ...['invoices', 'invoice_lines', 'invoice_groups', 'invoice_changes', 'invoice_customer_changes'],
    ...['invoice_change_sums', 'invoice_taxes', 'invoice_usage', 'pre_bills', 'pre_bill_lines', 'pre_bill_changes'],
    ...['pre_bill_counts', 'payments', 'credit_movements', 'psa_updates', 'psa_update_rows'],
    ...['payment_events', 'payment_methods', 'payment_pages', 'payment_settings', 'psa_connections', 'psa_contracts'],
    ...['psa_lines', 'psa_matches', 'psa_records', 'psa_reports', 'psa_syncs'],
  ],
  'used by the cloud itself, and by who has no session': [
    ...['sign_ups', 'archive_requests', 'billing_draft_lines', 'billing_draft_usage', 'billing_drafts', 'billing_runs'],
    ...['card_provider_charges', 'card_provider_methods', 'card_provider_tokens', 'kysely_migration'],
    ...['kysely_migration_lock', 'link_tokens', 'migration_limits', 'missing_days', 'outbox', 'people'],
    ...['provider_attempts', 'provider_records', 'psa_stand_in_contracts', 'psa_stand_in_lines'],
    ...['psa_stand_in_records', 'psa_stand_in_tenants', 'spent_tokens'],
  ],
};

test('every table is limited, or it is said why it need not be', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v')`.execute(sandbox.db);
  const known = new Set([
    ...[...Object.keys(limitedTables), ...Object.keys(limitedSums), ...sumsOfAll],
    ...Object.values(others).flat(),
  ]);
  assert.deepEqual(
    notEmpty(rows).filter(({ name }) => !known.has(name)),
    [],
  );
});

test('a customer outside the limit cannot be told from one that is not there, whatever the call', async () => {
  const instanceId = (await get(all, `/api/customers/${unseen}/services`)).Items[0]?.Id ?? '1';
  const { CustomerId } = await get(all, `/api/customers/${unseen}`);
  const { Id: userId } = (await get(all, `/api/customers/${unseen}/users`)).Items[0];
  const absent = [];
  for (const [method, path, body] of customerCalls('99999', '1', '1'))
    absent.push(await sandbox.call(limited, method, path, body));
  for (const key of [String(unseen), CustomerId])
    for (const [index, [method, path, body]] of customerCalls(key, userId, instanceId).entries()) {
      const { status, body: reply } = await sandbox.call(limited, method, path, body);
      assert.deepEqual([status, reply], [absent[index]?.status, absent[index]?.body], `${method} ${path}`);
      assert.ok(status === 404 || status === 403, `${method} ${path}: ${status}`);
    }
});

/** Values for the parameters of paths, as far as a walk needs ones that are there. */
const samples: Readonly<Record<string, string>> = {
  customerId: String(seen),
  organisationId: String(seen),
  userId: '20002',
  instanceId: '30001',
  userName: 'admin@contoso.test',
  popupId: 'contact-details',
  formId: 'callback-request',
  mailbox: 'user@contoso.test',
  groupId: '70001',
  serviceId: '8',
  subId: '1',
  months: '3',
  date: '2026-01',
};
const queries: Readonly<Record<string, string>> = {
  words: 'e',
  instanceIds: '30001,30002,30003,30010',
  customerIds: '10001,10002,10003',
  action: 'Add',
  purpose: 'credit',
};

type Operation = {
  readonly security?: unknown;
  readonly parameters?: { readonly name: string; readonly in: string; readonly required?: boolean }[];
};

/** A reply without how many customers have a product, which are counted among those that are seen. */
const withoutSums = ({ body }: Reply) => JSON.stringify(body ?? '').replace(/"HeldBy":\d+/g, '');

/** The addresses of everything that a signed-in caller reads, with parameters of a customer that is seen. */
async function addressesRead(): Promise<string[]> {
  const { paths } = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as {
    paths: Record<string, { get?: Operation }>;
  };
  return Object.entries(paths).flatMap(([path, { get: operation }]) => {
    if (!operation?.security) return [];
    const needed = operation.parameters?.filter(({ in: place, required }) => place === 'query' && required) ?? [];
    const query = new URLSearchParams(needed.map(({ name }) => [name, queries[name] ?? samples[name] ?? '1']));
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => samples[name] ?? '1');
    return [needed.length > 0 ? `${filled}?${query}` : filled];
  });
}

test('nothing that a limited account reads names another customer, and nothing of its own is missing', async () => {
  const { db } = sandbox;
  const customers = await db.selectFrom('customers').selectAll().where('reseller_id', '=', 1001).execute();
  const foreign = customers.filter(({ organisation_id }) => organisation_id !== seen);
  const words = foreign.flatMap(({ id, name, organisation_id }) => [id, JSON.stringify(name), `"${organisation_id}"`]);
  const namesOthers = (text: string) => words.filter(word => text.includes(word));
  const told: string[] = [];
  for (const address of notEmpty(await addressesRead())) {
    const [whole, part] = [await sandbox.call(all, 'GET', address), await sandbox.call(limited, 'GET', address)];
    assert.ok(part.status < 500, `${address}: ${part.status} ${JSON.stringify(part.body)}`);
    const text = JSON.stringify(part.body ?? '');
    assert.deepEqual(namesOthers(text), [], address);
    if (namesOthers(JSON.stringify(whole.body ?? '')).length > 0) told.push(address);
    if (address.startsWith(`/api/customers/${seen}`)) assert.equal(withoutSums(part), withoutSums(whole), address);
  }
  // Of those some would name others, or the walk would show nothing.
  assert.ok(told.length >= 10, told.join('\n'));
});

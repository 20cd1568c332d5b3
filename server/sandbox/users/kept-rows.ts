import { type RawBuilder, sql } from 'kysely';
import type { Database, Write } from '../tables.ts';
import type { KeptRows } from './tables.ts';

/** A table whose rows about a user come back when the user is restored. */
type KeptTable = {
  readonly table: string;
  /** Columns that name the user or one of the user's accounts: a row of any of these, or of the next, is kept. */
  readonly user?: readonly string[];
  readonly account?: readonly string[];
  /** Columns that name the user's mailbox. */
  readonly mailbox?: readonly string[];
  /** Other rows that a row names, by column: it comes back only while these are there. */
  readonly needs?: Readonly<Record<string, readonly [table: string, column: string]>>;
};

const ofAccount = (table: string, needs: KeptTable['needs'] = {}): KeptTable => ({
  ...{ table, account: ['account_id'], needs },
});
const ofUser = (table: string, needs: KeptTable['needs'] = {}): KeptTable => ({ table, user: ['user_id'], needs });

/** The tables of which rows of a deleted user are kept, in the order in which they are put back. */
export const keptTables: readonly KeptTable[] = [
  { table: 'users', user: ['id'] },
  ofUser('accounts'),
  ofUser('mailboxes'),
  { table: 'mail_addresses', mailbox: ['mailbox_id'], needs: { mailbox_id: ['mailboxes', 'id'] } },
  { table: 'mail_forwards', mailbox: ['mailbox_id'], needs: { mailbox_id: ['mailboxes', 'id'] } },
  ofUser('user_services', { instance_id: ['service_instances', 'id'] }),
  {
    table: 'mailbox_permissions',
    ...{ user: ['user_id'], mailbox: ['mailbox_id'] },
    needs: {
      ...{ mailbox_id: ['mailboxes', 'id'], user_id: ['users', 'id'] },
      group_id: ['distribution_groups', 'id'],
    },
  },
  ofUser('group_members', { group_id: ['distribution_groups', 'id'] }),
  ofUser('group_people', { group_id: ['distribution_groups', 'id'] }),
  ofUser('quarantined_mails'),
  ofUser('recoverable_mails'),
  ofUser('mail_recoveries'),
  ofUser('archive_requests'),
  ofUser('activity_users', { activity_id: ['activity', 'id'] }),
  ofAccount('account_permissions'),
  ofAccount('account_roles', { role_id: ['roles', 'id'] }),
  ofAccount('account_right_ends'),
  ofAccount('account_customers', { customer_id: ['customers', 'id'] }),
  ofAccount('feature_overrides', { feature_name: ['feature_flags', 'name'] }),
  ofAccount('identities'),
  ofAccount('recovery_codes'),
  ofAccount('former_sign_in_names'),
  ofAccount('signature_images'),
  ofAccount('agreement_signatures', { agreement_id: ['agreements', 'id'], image_id: ['signature_images', 'id'] }),
  ofAccount('form_submissions'),
  ofAccount('opt_outs'),
  ofAccount('quick_links'),
  ofAccount('notifications', { request_id: ['access_requests', 'id'], approval_id: ['approvals', 'id'] }),
  ofAccount('notification_ways'),
  ofAccount('announcement_closings', { announcement_id: ['announcements', 'id'] }),
  ofAccount('chat_messages'),
  ofAccount('kb_openings', { article_id: ['kb_articles', 'id'] }),
  ofAccount('kb_votes', { article_id: ['kb_articles', 'id'] }),
  ofAccount('network_subscribers'),
  ofAccount('ratings', { feature_id: ['rating_features', 'id'] }),
  ofAccount('product_announcement_answers', { announcement_id: ['product_announcements', 'id'] }),
];

/** Columns that become empty with the user or account, and name them again once they are restored. */
export const keptLinks = [
  { table: 'service_instances', column: 'user_id', of: 'user' },
  { table: 'orders', column: 'user_id', of: 'user' },
  { table: 'user_import_rows', column: 'user_id', of: 'user' },
  { table: 'orders', column: 'account_id', of: 'account' },
  { table: 'voice_orders', column: 'account_id', of: 'account' },
  { table: 'tickets', column: 'user_id', of: 'user' },
  { table: 'tickets', column: 'account_id', of: 'account' },
  { table: 'ticket_messages', column: 'account_id', of: 'account' },
  { table: 'ticket_files', column: 'account_id', of: 'account' },
] as const;

/**
 * Tables and columns whose rows end with a user for good: sign-ins, links and keys, which no restoring brings back, what
 * only people of a reseller have, sums that triggers make again, and who asked for and decided on an act, whose name the
 * act keeps.
 */
export const endedWithUser: readonly string[] = [
  ...['grants', 'idempotency_keys', 'jump_tokens', 'link_tokens', 'password_links', 'api_keys', 'address_uses'],
  ...['file_links', 'access_requests', 'departures', 'invitations', 'notification_digests', 'approvals', 'ip_access'],
  ...['account_customer_counts', 'brand_drafts', 'chat_visits', 'payment_pages', 'payments', 'psa_updates', 'sign_ups'],
];

/** Reads all that is kept of a user, in one query. */
export async function readKeptRows(db: Database, userId: number): Promise<KeptRows> {
  const ids = (of: 'user' | 'account' | 'mailbox') =>
    of === 'user'
      ? sql`${userId}`
      : sql`(select id from ${sql.table(of === 'account' ? 'accounts' : 'mailboxes')} where user_id = ${userId})`;
  const named = (column: string, of: 'user' | 'account' | 'mailbox') => sql`t.${sql.ref(column)} in (${ids(of)})`;
  const rowsOf = ({ table, user = [], account = [], mailbox = [] }: KeptTable) => {
    const conditions = [
      ...user.map(one => named(one, 'user')),
      ...account.map(one => named(one, 'account')),
      ...mailbox.map(one => named(one, 'mailbox')),
    ];
    return sql`${sql.lit(table)}, (select coalesce(jsonb_agg(to_jsonb(t)), '[]')
      from ${sql.table(table)} t where ${sql.join(conditions, sql` or `)})`;
  };
  const linksOf = ({ table, column, of }: (typeof keptLinks)[number]) =>
    sql`${sql.lit(`${table}.${column}`)}, (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'named',
      t.${sql.ref(column)})), '[]') from ${sql.table(table)} t where ${named(column, of)})`;
  const { rows } = await sql<KeptRows>`
    select jsonb_build_object(${sql.join(keptTables.map(rowsOf))}) as rows,
      jsonb_build_object(${sql.join(keptLinks.map(linksOf))}) as links`.execute(db);
  return rows[0]!;
}

/**
 * Puts back what was kept of a user, but for what refers to something that is gone, or stands in the way of what has come
 * since. Columns that a table has no more are left out; new ones get their default.
 * @throws the database's violation of a unique index where the address or the sign-in name is somebody else's by now
 */
export async function putBack(trx: Write, { rows, links }: KeptRows): Promise<void> {
  for (const { table, needs = {} } of keptTables) {
    const kept = rows[table] ?? [];
    const [first] = kept;
    if (first === undefined) continue;
    const columns = (await columnsOf(trx, table)).filter(name => Object.hasOwn(first, name)).map(name => sql.ref(name));
    const isThere = Object.entries(needs).map(
      ([column, [target, key]]): RawBuilder<unknown> => sql`(r.${sql.ref(column)} is null
        or exists (select from ${sql.table(target)} x where x.${sql.ref(key)} = r.${sql.ref(column)}))`,
    );
    const mustBeNew = table === 'users' || table === 'accounts';
    await sql`
      insert into ${sql.table(table)} (${sql.join(columns)}) overriding system value
      select ${sql.join(columns)} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(kept)}) r
      where ${isThere.length > 0 ? sql.join(isThere, sql` and `) : sql`true`}
      ${mustBeNew ? sql`` : sql`on conflict do nothing`}`.execute(trx);
  }
  for (const { table, column } of keptLinks)
    await sql`
      update ${sql.table(table)} t set ${sql.ref(column)} = k.named
      from jsonb_to_recordset(${JSON.stringify(links[`${table}.${column}`] ?? [])}) k (id bigint, named bigint)
      where t.id = k.id and t.${sql.ref(column)} is null`.execute(trx);
}

async function columnsOf(db: Database, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select jsonb_object_keys(to_jsonb(jsonb_populate_record(null::${sql.table(table)}, '{}'))) as name`.execute(db);
  return rows.map(({ name }) => name);
}

import { type Kysely, sql } from 'kysely';
import type { Migration } from '../database/migrate.ts';

const first: Migration = {
  async up(db: Kysely<unknown>) {
    const schema = db.schema.withSchema('portal');
    await schema
      .createTable('sessions')
      .addColumn('key', 'text', column => column.primaryKey())
      .addColumn('account', 'text', column => column.notNull())
      .addColumn('created_at', 'timestamptz', column => column.notNull())
      .addColumn('seen_at', 'timestamptz', column => column.notNull())
      .addColumn('expires_at', 'timestamptz', column => column.notNull())
      .addColumn('tokens', 'text', column => column.notNull())
      .addColumn('token_version', 'integer', column => column.notNull().defaultTo(1))
      .addColumn('exchanging_until', 'timestamptz')
      .addColumn('principal', 'text', column => column.notNull())
      .addColumn('principal_at', 'timestamptz', column => column.notNull())
      .execute();
    await schema.createIndex('sessions_expires_at').on('sessions').column('expires_at').execute();
    await schema
      .createTable('attempts')
      .addColumn('key', 'text', column => column.primaryKey())
      .addColumn('failures', 'integer', column => column.notNull())
      .addColumn('window_ends', 'timestamptz', column => column.notNull())
      .addColumn('next_at', 'timestamptz', column => column.notNull())
      .addColumn('admitted', 'text')
      .execute();
    await schema.createIndex('attempts_window_ends').on('attempts').column('window_ends').execute();
    await schema
      .createTable('audit')
      .addColumn('id', 'bigint', column => column.primaryKey().generatedAlwaysAsIdentity())
      .addColumn('at', 'timestamptz', column => column.notNull().defaultTo(sql`now()`))
      .addColumn('action', 'text', column => column.notNull())
      .addColumn('outcome', 'text', column => column.notNull())
      .addColumn('account', 'text')
      .addColumn('actor', 'text')
      .addColumn('address', 'text')
      .addColumn('detail', 'jsonb', column => column.notNull())
      .execute();
    await schema.createIndex('audit_at').on('audit').column('at').execute();
  },
};

const steps: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .withSchema('portal')
      .createTable('steps')
      .addColumn('key', 'text', column => column.primaryKey())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('content', 'text', column => column.notNull())
      .addColumn('expires_at', 'timestamptz', column => column.notNull())
      .execute();
  },
};

const acting: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.withSchema('portal').alterTable('sessions').addColumn('acting', 'text').execute();
  },
};

/** What a session and a record were made from, and a name of a session for those who may not know its key. */
const devices: Migration = {
  async up(db: Kysely<unknown>) {
    const schema = db.schema.withSchema('portal');
    await schema
      .alterTable('sessions')
      .addColumn('handle', 'text', column => column.notNull().defaultTo(sql`gen_random_uuid()::text`))
      .addColumn('device', 'text')
      .addColumn('address', 'text')
      .execute();
    await schema.createIndex('sessions_account').on('sessions').column('account').execute();
    await schema.alterTable('audit').addColumn('device', 'text').execute();
    await schema.createIndex('audit_account').on('audit').expression(sql`lower(account), id`).execute();
  },
};

const identityTokens: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.withSchema('portal').alterTable('sessions').addColumn('id_token', 'text').execute();
  },
};

const drafts: Migration = {
  async up(db: Kysely<unknown>) {
    const schema = db.schema.withSchema('portal');
    await schema
      .createTable('drafts')
      .addColumn('owner', 'text', column => column.notNull())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('subject', 'text', column => column.notNull())
      .addColumn('version', 'integer', column => column.notNull().defaultTo(1))
      .addColumn('content', 'text', column => column.notNull())
      .addColumn('saved_at', 'timestamptz', column => column.notNull())
      .addPrimaryKeyConstraint('drafts_key', ['owner', 'kind', 'subject'])
      .execute();
    await schema.createIndex('drafts_saved_at').on('drafts').column('saved_at').execute();
  },
};

/** The column before is only written by the version before, which may run beside this one. */
const connections: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.withSchema('portal').alterTable('sessions').addColumn('connection', 'text').execute();
  },
};

const exportFiles: Migration = {
  async up(db: Kysely<unknown>) {
    const schema = db.schema.withSchema('portal');
    await schema
      .createTable('exports')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('owner', 'text', column => column.notNull())
      .addColumn('session', 'text', column => column.notNull())
      .addColumn('title', 'text', column => column.notNull())
      .addColumn('format', 'text', column => column.notNull())
      .addColumn('path', 'text', column => column.notNull())
      .addColumn('table_id', 'text', column => column.notNull())
      .addColumn('columns', 'text', column => column.notNull())
      .addColumn('state', 'text', column => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('rows', 'integer', column => column.notNull().defaultTo(0))
      .addColumn('total', 'integer')
      .addColumn('bytes', 'integer', column => column.notNull().defaultTo(0))
      .addColumn('started_at', 'timestamptz', column => column.notNull())
      .addColumn('seen_at', 'timestamptz', column => column.notNull())
      .addColumn('expires_at', 'timestamptz', column => column.notNull())
      .execute();
    await schema.createIndex('exports_owner').on('exports').columns(['owner', 'started_at']).execute();
    await schema.createIndex('exports_expires_at').on('exports').column('expires_at').execute();
    await schema
      .createTable('export_parts')
      .addColumn('export_id', 'text', column => column.notNull().references('portal.exports.id').onDelete('cascade'))
      .addColumn('part', 'integer', column => column.notNull())
      .addColumn('bytes', 'bytea', column => column.notNull())
      .addPrimaryKeyConstraint('export_parts_key', ['export_id', 'part'])
      .execute();
  },
};

const toldExports: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .withSchema('portal')
      .alterTable('exports')
      .addColumn('is_told', 'boolean', column => column.notNull().defaultTo(false))
      .execute();
  },
};

/** How a session was opened. The version before, which may run beside this one, writes none. */
const signInWays: Migration = {
  async up(db: Kysely<unknown>) {
    const schema = db.schema.withSchema('portal');
    await schema.alterTable('sessions').addColumn('way', 'text').execute();
    // People are found by their names in any case of the letters.
    await schema.createIndex('sessions_account_lower').on('sessions').expression(sql`lower(account)`).execute();
  },
};

/** Names that accounts had before, and what the owner of a file saw of customers. */
const formerNames: Migration = {
  async up(db: Kysely<unknown>) {
    const schema = db.schema.withSchema('portal');
    await schema
      .createTable('former_names')
      .addColumn('name', 'text', column => column.primaryKey())
      .addColumn('account', 'text', column => column.notNull())
      .execute();
    await schema.createIndex('former_names_account').on('former_names').expression(sql`lower(account)`).execute();
    await schema.alterTable('exports').addColumn('sight', 'text').execute();
  },
};

const downloadLinks: Migration = {
  async up(db: Kysely<unknown>) {
    const schema = db.schema.withSchema('portal');
    await schema
      .createTable('download_links')
      .addColumn('key', 'text', column => column.primaryKey())
      .addColumn('session', 'text', column => column.notNull())
      .addColumn('owner', 'text', column => column.notNull())
      .addColumn('operation', 'text', column => column.notNull())
      .addColumn('parameters', 'text', column => column.notNull())
      .addColumn('expires_at', 'timestamptz', column => column.notNull())
      .execute();
    await schema.createIndex('download_links_session').on('download_links').column('session').execute();
  },
};

/** Which browsers signed in by an identity provider, and by which of them a session was opened. */
const signOns: Migration = {
  async up(db: Kysely<unknown>) {
    const schema = db.schema.withSchema('portal');
    await schema
      .createTable('sign_ons')
      .addColumn('key', 'text', column => column.primaryKey())
      .addColumn('account', 'text', column => column.notNull())
      .addColumn('connection', 'text', column => column.notNull())
      .addColumn('expires_at', 'timestamptz', column => column.notNull())
      .execute();
    await schema.createIndex('sign_ons_account').on('sign_ons').expression(sql`lower(account)`).execute();
    await schema.alterTable('sessions').addColumn('sign_on', 'text').execute();
  },
};

/** Of the portal's own tables, by name in the order in which they run. */
export const migrations: Readonly<Record<string, Migration>> = {
  '001-first': first,
  '002-steps': steps,
  '003-devices': devices,
  '004-acting': acting,
  '005-identity-tokens': identityTokens,
  '006-drafts': drafts,
  '007-connections': connections,
  '008-export-files': exportFiles,
  '009-told-exports': toldExports,
  '010-sign-in-ways': signInWays,
  '011-former-names': formerNames,
  '012-download-links': downloadLinks,
  '013-sign-ons': signOns,
};

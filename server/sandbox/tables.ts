import type { Kysely, Transaction } from 'kysely';
import type { AgreementsTables } from './agreements/tables.ts';
import type { AuthTables } from './auth/tables.ts';
import type { BillingTables } from './billing/tables.ts';
import type { CustomersTables } from './customers/tables.ts';
import type { DashboardTables } from './dashboard/tables.ts';
import type { SettingsTables } from './database/tables.ts';
import type { FormsTables } from './forms/tables.ts';
import type { HttpTables } from './http/tables.ts';
import type { IdentityTables } from './identity/tables.ts';
import type { JobsTables } from './jobs/tables.ts';
import type { LinksTables } from './links/tables.ts';
import type { MailTables } from './mail/tables.ts';
import type { MarketplaceTables } from './marketplace/tables.ts';
import type { NotificationsTables } from './notifications/tables.ts';
import type { OrdersTables } from './orders/tables.ts';
import type { OutboxTables } from './outbox/tables.ts';
import type { PaymentsTables } from './payments/tables.ts';
import type { PoliciesTables } from './policies/tables.ts';
import type { PsaTables } from './psa/tables.ts';
import type { ServicesTables } from './services/tables.ts';
import type { UsageTables } from './usage/tables.ts';
import type { UsersTables } from './users/tables.ts';
import type { VoiceTables } from './voice/tables.ts';

export type Write = Transaction<Tables>;

export type Database = Kysely<Tables>;

/** The rows as the database gives them, each area its own; the constraints stand in the migrations. */
export interface Tables
  extends AgreementsTables,
    AuthTables,
    BillingTables,
    CustomersTables,
    DashboardTables,
    FormsTables,
    HttpTables,
    IdentityTables,
    JobsTables,
    LinksTables,
    MailTables,
    MarketplaceTables,
    NotificationsTables,
    OrdersTables,
    OutboxTables,
    PaymentsTables,
    PoliciesTables,
    PsaTables,
    ServicesTables,
    SettingsTables,
    UsageTables,
    UsersTables,
    VoiceTables {}

import type { DnsServer } from './domains/dns/server.ts';
import type { DomainChecks } from './domains/domain-checks.ts';
import type { App } from './http/schema.ts';
import type { SignOn } from './identity/sign-on.ts';
import type { Judges } from './ip-access/judges.ts';
import type { Places } from './ip-access/places.ts';
import type { NoteUse } from './ip-access/uses.ts';
import type { ProviderClient } from './payments/provider-client.ts';
import type { PsaUpdates } from './psa/contract-updates.ts';
import type { PsaCopies } from './psa/copies.ts';
import type { PsaSync } from './psa/sync.ts';
import type { Database } from './tables.ts';

/** The parts that routes are made of; put together once, in `app.ts`. */
export type Parts = {
  readonly db: Database;
  readonly now: () => Date;
  /** Signs access tokens. */
  readonly secret: string;
  /** How long an access token is good for, in seconds. */
  readonly tokenSeconds: number;
  /** Address of the portal, for the links in mails; without a path. */
  readonly portalUrl: string;
  /** The domain whose names the sibling portals have. */
  readonly domain: string;
  /** True where mail goes out and is not only put into the outbox. */
  readonly sendsMail: boolean;
  readonly signOn: SignOn;
  readonly psaSync: PsaSync;
  readonly psaCopies: PsaCopies;
  readonly psaUpdates: PsaUpdates;
  readonly cardProvider: ProviderClient;
  /** Judge from which addresses people may come. */
  readonly judges: Judges;
  readonly noteUse: NoteUse;
  readonly places: Places;
  readonly domainChecks: DomainChecks;
  /** The sandbox's own DNS server, which is asked unless a resolver is named. */
  readonly dnsServer: DnsServer;
};

export type AddRoutes = (app: App, parts: Parts) => void;

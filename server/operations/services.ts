import type { Logger } from 'pino';
import type { Accounts } from '../cloud/accounts.ts';
import type { ApiKeys } from '../cloud/api-keys.ts';
import type { Brands } from '../cloud/brands.ts';
import type { Cloud } from '../cloud/gate.ts';
import type { Links } from '../cloud/links.ts';
import type { Passwords } from '../cloud/passwords.ts';
import type { SecondFactors } from '../cloud/second-factors.ts';
import type { LiveChatSettings } from '../config.ts';
import type { AccountSessions } from '../session/account-sessions.ts';
import type { Attempts } from '../session/attempts.ts';
import type { ConnectionName, IdentityProvider } from '../session/identity-provider.ts';
import type { PasswordScores } from '../session/password-scores.ts';
import type { Rate } from '../session/rate-limit.ts';
import type { Sessions } from '../session/sessions.ts';
import type { SignInStages } from '../session/sign-in-stages.ts';
import type { AccountNames } from '../store/account-names.ts';
import type { Audit } from '../store/audit.ts';
import type { DownloadLinks } from '../store/download-links.ts';
import type { Drafts } from '../store/drafts.ts';
import type { ExportFiles } from '../store/export-files.ts';
import type { SecurityLog } from '../store/security-log.ts';
import type { ContractWatch } from './contract-watch.ts';

/** Origins to which a redirect may lead, and the portal's own origin, from the configuration. */
export type RedirectRules = { readonly allowed: ReadonlySet<string>; readonly own: string | undefined };

/** Services that commands use; created once by the composition root. */
export type Services = {
  readonly cloud: Cloud;
  readonly accounts: Accounts;
  readonly brands: Brands;
  readonly apiKeys: ApiKeys;
  readonly secondFactors: SecondFactors;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly accountSessions: AccountSessions;
  readonly accountNames: AccountNames;
  readonly attempts: Attempts;
  readonly signInStages: SignInStages;
  readonly drafts: Drafts;
  readonly exportFiles: ExportFiles;
  readonly downloadLinks: DownloadLinks;
  readonly passwordScores: PasswordScores;
  /** Rights that an account tries out. */
  readonly rightsTried: Rate;
  /** Rights of which an account asks only which screens and calls they open. */
  readonly actsTried: Rate;
  readonly audit: Audit;
  readonly contractWatch: ContractWatch;
  readonly securityLog: SecurityLog;
  readonly log: Logger;
  readonly tellUnknownUsername: boolean;
  /** Those that are configured. */
  readonly identityProviders: { readonly [name in ConnectionName]?: IdentityProvider };
  /** Scheme, host and port by which browsers reach the portal; never read from a request. */
  readonly ownOrigin: () => string;
  readonly links: Links;
  /** In which times are written where no browser says its own (IANA). */
  readonly timeZone: string;
  readonly redirects: RedirectRules;
  /** Origins of sites that people are signed in to by a token, from the configuration. */
  readonly siteOrigins: ReadonlySet<string>;
  /** The live chat of support; undefined where there is none. */
  readonly liveChat: LiveChatSettings | undefined;
  /** Origins of providers whose forms a hosted page may frame, from the configuration. */
  readonly hostedPageOrigins: ReadonlySet<string>;
  /** The error page of the single-experience dashboard; undefined where it is not configured. */
  readonly dashboardErrorUrl: string | undefined;
};

import type { Logger } from 'pino';
import type { Envelope } from '../../shared/contract/envelope.ts';
import type { Node } from '../../shared/language/types.ts';
import type { Accounts } from '../cloud/accounts.ts';
import type { Cloud } from '../cloud/gate.ts';
import type { Links } from '../cloud/links.ts';
import type { Passwords } from '../cloud/passwords.ts';
import type { SecondFactors } from '../cloud/second-factors.ts';
import type { CommandDeclaration } from '../layouts/command.ts';
import type { Attempts } from '../session/attempts.ts';
import type { ConnectionName, IdentityProvider } from '../session/identity-provider.ts';
import type { OwnSessions } from '../session/own-sessions.ts';
import type { Rate } from '../session/rate.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Steps } from '../session/steps.ts';
import type { Audit } from '../store/audit.ts';
import type { Drafts } from '../store/drafts.ts';
import type { SecurityLog } from '../store/security-log.ts';
import type { Caller } from './caller.ts';
import type { Kept } from './kept.ts';
import type { RedirectRules } from './redirect-target.ts';

/** What commands work with; made once. */
export type Services = {
  readonly cloud: Cloud;
  readonly accounts: Accounts;
  readonly secondFactors: SecondFactors;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly ownSessions: OwnSessions;
  readonly attempts: Attempts;
  readonly steps: Steps;
  readonly drafts: Drafts;
  /** How often a session, or an address, may have a password judged. */
  readonly judgements: Rate;
  readonly audit: Audit;
  readonly securityLog: SecurityLog;
  readonly log: Logger;
  readonly tellUnknownUsername: boolean;
  /** Those that are configured. */
  readonly identityProviders: { readonly [name in ConnectionName]?: IdentityProvider };
  /** Scheme, host and port by which browsers reach the portal; never read from a request. */
  readonly ownOrigin: () => string;
  readonly links: Links;
  readonly redirects: RedirectRules;
  /** The error page of the single-experience dashboard; undefined where it is not configured. */
  readonly dashboardErrorUrl: string | undefined;
};

/** One run of a command. Its caller may run it, its node says so, and its body has passed the rules of its form. */
export type CommandContext = {
  readonly caller: Caller;
  readonly node: Node;
  readonly with: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly press?: string | undefined;
  /** Names the half-finished flow that this browser is in. */
  readonly step?: string | undefined;
  readonly services: Services;
};

export type CommandReply = Kept & { readonly status?: number; readonly envelope: Envelope };

/** One server-side step of a flow. */
export type Command = {
  readonly declaration: CommandDeclaration;
  /** Values named `$…` that the conditions of its form read: the server's own, whatever the browser says. */
  formState?(context: Omit<CommandContext, 'node'>): Promise<Readonly<Record<string, unknown>>>;
  /** Throws a PortalError. */
  run(context: CommandContext): Promise<CommandReply>;
};

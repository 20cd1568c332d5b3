import type { Logger } from 'pino';
import { createAccounts } from './cloud/accounts.ts';
import { createApiKeys } from './cloud/api-keys.ts';
import { createBrands } from './cloud/brands.ts';
import { createCloud } from './cloud/gate.ts';
import { createLinks } from './cloud/links.ts';
import { createPasswords } from './cloud/passwords.ts';
import { createSecondFactors } from './cloud/second-factors.ts';
import { type CloudWatch, createGuard } from './cloud/upstream.ts';
import type { CloudAddresses, Config } from './config.ts';
import { createExportJobs, type ExportJobs } from './exports/export-jobs.ts';
import { createContractWatch } from './operations/contract-watch.ts';
import type { Services } from './operations/services.ts';
import type { Metrics } from './routes/records/metrics.ts';
import { createAccountSessions } from './session/account-sessions.ts';
import { createAttempts } from './session/attempts.ts';
import { boundAudit } from './session/bounded-audit.ts';
import { createIdentityProvider } from './session/identity-provider.ts';
import { createPasswordScores } from './session/password-scores.ts';
import { createRate } from './session/rate-limit.ts';
import { createSessions } from './session/sessions.ts';
import { createSignInStages } from './session/sign-in-stages.ts';
import { createAccountNames } from './store/account-names.ts';
import { createAudit } from './store/audit.ts';
import { createDownloadLinks } from './store/download-links.ts';
import { createDrafts } from './store/drafts.ts';
import { createExportFiles } from './store/export-files.ts';
import { createRetention } from './store/retention.ts';
import { createSecurityLog } from './store/security-log.ts';
import type { Store } from './store/store.ts';

/** Of an account, or of a network without one; a person who types pauses less often. */
const passwordChecksPerMinute = 60;
/** Of an account: some 6 s of the processor. */
const rightsTriedPerMinute = 400;
/** Of an account: some 5 s of the processor. */
const actsTriedPerMinute = 2500;

type ServiceParts = {
  readonly config: Config;
  readonly addresses: CloudAddresses;
  readonly identityProviders: Config['identityProviders'];
  readonly siteOrigins: ReadonlySet<string>;
  readonly hostedPageOrigins: ReadonlySet<string>;
  readonly liveChat: Config['liveChat'];
  readonly store: Store;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The clock, in epoch milliseconds. */
  readonly now: () => number;
  /** The portal's own origin, known once it listens. */
  readonly ownOrigin: () => string;
};

type RunningServices = {
  readonly services: Services;
  readonly exportJobs: ExportJobs;
  /** Deletes what is too old. Those who ask together share one sweep; it never throws. */
  sweep(): Promise<unknown>;
  close(): Promise<void>;
};

/** Tells figures and log of calls to the cloud and of services that do not answer. */
const createWatch = (metrics: Metrics, log: Logger): CloudWatch => ({
  observe: metrics.cloud.observe,
  paused(service, isPaused) {
    metrics.cloud.paused(service, isPaused);
    log.warn({ service }, isPaused ? 'a service does not answer and is not asked for now' : 'a service answers again');
  },
});

/** Creates all that the routes work with, over the database and the cloud. Throws where no audit could be kept. */
export async function createServices(parts: ServiceParts): Promise<RunningServices> {
  const { config, addresses, siteOrigins, hostedPageOrigins, liveChat, store, log, metrics, now, ownOrigin } = parts;
  const { sso, office } = parts.identityProviders;
  const watch = createWatch(metrics, log);
  const cloud = createCloud(addresses, watch);
  const accounts = createAccounts(cloud, now, {
    singleExperienceUrl: config.singleExperienceUrl?.href,
    locale: config.locale,
    hasLiveChat: liveChat !== undefined,
  });
  const sessions = createSessions({ store, accounts, log, now, mostOfAccount: config.sessionsPerAccount });
  const attempts = createAttempts(store, now);
  const signInStages = createSignInStages(store, now);
  const drafts = createDrafts(store, now);
  const exportFiles = createExportFiles(store, now);
  const downloadLinks = createDownloadLinks(store);
  const passwordScores = createPasswordScores(createRate(passwordChecksPerMinute));
  const boundedAudit = boundAudit(createAudit(store, log), log);
  const retention = createRetention({
    ...{ store, log, now },
    ...{ days: config.auditDays, rows: config.auditRows, folder: config.auditExportDir },
  });
  await retention.check();
  const services: Services = {
    ...{ cloud, accounts, sessions, attempts, signInStages, drafts, exportFiles, downloadLinks, passwordScores },
    rightsTried: createRate(rightsTriedPerMinute),
    actsTried: createRate(actsTriedPerMinute),
    brands: createBrands(cloud),
    apiKeys: createApiKeys(cloud, now),
    secondFactors: createSecondFactors(cloud),
    passwords: createPasswords(cloud, now),
    accountNames: createAccountNames(store),
    accountSessions: createAccountSessions(store, sessions, now),
    audit: boundedAudit.audit,
    contractWatch: createContractWatch(log, metrics.contractBroken),
    securityLog: createSecurityLog(store),
    log,
    tellUnknownUsername: config.tellUnknownUsername,
    identityProviders: {
      ...(sso && { sso: createIdentityProvider(sso, createGuard('sso', watch), now) }),
      ...(office && { office: createIdentityProvider(office, createGuard('office', watch), now) }),
    },
    ownOrigin,
    links: createLinks(cloud),
    dashboardErrorUrl: config.singleExperienceErrorUrl?.href,
    timeZone: config.timeZone,
    siteOrigins,
    liveChat,
    hostedPageOrigins,
    redirects: { allowed: config.redirectAllow, own: config.publicUrl?.origin },
  };
  const exportJobs = createExportJobs({ services, files: exportFiles, store });
  let sweeping: Promise<unknown> | undefined;
  return {
    services,
    exportJobs,
    sweep() {
      sweeping ??= Promise.all(
        [sessions, attempts, signInStages, drafts, exportFiles, downloadLinks, retention].map(kept => kept.sweep()),
      )
        .catch((error: Error) => log.warn({ reason: error.message }, 'sweep failed'))
        .finally(() => {
          sweeping = undefined;
        });
      return sweeping;
    },
    async close() {
      retention.stop();
      await Promise.all([sweeping, exportJobs.close(), passwordScores.close()]);
      await boundedAudit.close();
      sessions.close();
      await cloud.close();
    },
  };
}

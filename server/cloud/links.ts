import type { Operation } from '../../shared/language/types.ts';
import type { Cloud } from './gate.ts';

/** What came of a link in a mail: done now or earlier (`at`, ISO 8601, where the cloud says it), or not at all. */
export type LinkOutcome =
  | { readonly kind: 'done' | 'already'; readonly at: string | undefined }
  | { readonly kind: 'refused' };

/** Outcome of a link that stops mails, with the kind of the mails; `kept` where more was chosen since. */
export type StopOutcome =
  | { readonly kind: 'stopped' | 'resumed' | 'kept'; readonly mails: StoppedMails }
  | { readonly kind: 'refused' };

/** Kinds of mails that a link stops: those about a category of notifications, the digest of all, or those about the network. */
export const stoppedMails = ['info', 'success', 'warning', 'danger', 'digest', 'network'] as const;
export type StoppedMails = (typeof stoppedMails)[number];

/** What links in mails ask of the cloud, without credentials (document 1, section 7). */
export type Links = {
  releaseSpam(messageGuid: string, userId: string): Promise<LinkOutcome>;
  verifyArchiveAccess(accessType: string, token: string): Promise<LinkOutcome>;
  /** Stops the mails that a link is about, or undoes that. */
  stopMails(token: string, undo: boolean): Promise<StopOutcome>;
};

/** The spec's GETs act; they are the portal's own business, which no document may call. */
const get = (path: string, ...names: string[]): Operation => ({
  service: 'cloud',
  method: 'GET',
  path,
  with: Object.fromEntries(names.map(name => [name, { type: 'string' as const, required: true }])),
});
const calls = {
  release: get('/api/public/spam-release', 'messageGuid', 'userId'),
  verify: get('/api/public/email-archive-access', 'accessType', 'token'),
  stop: { service: 'cloud', method: 'POST', path: '/api/public/notification-stops' } satisfies Operation,
};

const stopOutcomes = { Stopped: 'stopped', Resumed: 'resumed', Kept: 'kept' } as const;

/**
 * Creates the client for links in mails that need no sign-in: release quarantined spam, verify access to the archive.
 */
export function createLinks(cloud: Cloud): Links {
  const ask = async (operation: Operation, parameters: Readonly<Record<string, string>>): Promise<LinkOutcome> => {
    const { envelope } = await cloud.call({ operation, parameters });
    if (!envelope.Succeed) return { kind: 'refused' };
    const { At, Already } = (envelope.Result ?? {}) as { readonly At?: unknown; readonly Already?: unknown };
    return { kind: Already === true ? 'already' : 'done', at: typeof At === 'string' ? At : undefined };
  };
  return {
    releaseSpam: (messageGuid, userId) => ask(calls.release, { messageGuid, userId }),
    verifyArchiveAccess: (accessType, token) => ask(calls.verify, { accessType, token }),
    async stopMails(Token, Undo) {
      const { envelope } = await cloud.call({ operation: calls.stop, parameters: {}, body: { Token, Undo } });
      const { Outcome, Kind } = (envelope.Result ?? {}) as { readonly Outcome?: unknown; readonly Kind?: unknown };
      const mails = stoppedMails.find(kind => kind === Kind);
      const kind = Object.entries(stopOutcomes).find(([name]) => name === Outcome)?.[1];
      if (!envelope.Succeed || mails === undefined || kind === undefined) return { kind: 'refused' };
      return { kind, mails };
    },
  };
}

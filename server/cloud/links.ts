import type { Operation } from '../../shared/language/types.ts';
import type { Cloud } from './gate.ts';

/** What came of a link in a mail: done now or earlier (`at`, ISO 8601, where the cloud says it), or not at all. */
export type LinkOutcome =
  | { readonly kind: 'done' | 'already'; readonly at: string | undefined }
  | { readonly kind: 'refused' };

/** What links in mails ask of the cloud, without credentials (document 1, section 7). */
export type Links = {
  releaseSpam(messageGuid: string, userId: string): Promise<LinkOutcome>;
  verifyArchiveAccess(accessType: string, token: string): Promise<LinkOutcome>;
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
};

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
  };
}

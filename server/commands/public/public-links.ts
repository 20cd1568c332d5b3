import { type LinkOutcome, stoppedMails } from '../../cloud/links.ts';
import { traceOf } from '../../operations/caller.ts';
import type { Command, CommandContext, CommandReply } from '../command.ts';
import { endSession } from '../identity/end-session.ts';
import { followLink } from './follow-link.ts';

/** The parts of a link, or undefined where one is missing. */
function partsOf(given: Readonly<Record<string, unknown>>, ...names: string[]): string[] | undefined {
  const parts = names.map(name => given[name]).filter(value => typeof value === 'string' && value !== '');
  return parts.length === names.length ? (parts as string[]) : undefined;
}

const follow = <Outcome extends { readonly kind: string }>(
  { caller, services }: CommandContext,
  action: string,
  parts: readonly string[],
  ask: () => Promise<Outcome>,
) => followLink(services, { ...traceOf(caller), address: caller.address }, { action, parts, ask });

const outcomes: readonly LinkOutcome['kind'][] = ['done', 'already', 'refused'];
const linkReply = { outcome: { kind: 'code', of: outcomes }, at: 'time?' } as const;

const reply = (outcome: LinkOutcome['kind'], at?: string): CommandReply => ({
  envelope: { Succeed: true, Result: { outcome, ...(at !== undefined && { at }) } },
});

/**
 * Leads to the sign-in, which says why. A living session is left alone, and its page says so itself: a link that a
 * stranger sent signs nobody out (server/decisions/009-public-links.md).
 */
const refuse = (context: CommandContext): CommandReply | Promise<CommandReply> =>
  context.caller.session ? reply('refused') : endSession(context, 'link that does not work', 'link-failed');

async function refuseIncomplete(context: CommandContext, link: string): Promise<CommandReply> {
  const { caller, services } = context;
  await services.audit({ action: 'link.incomplete', outcome: 'refused', ...traceOf(caller), detail: { link } });
  return refuse(context);
}

/** Releases a mail from quarantine (document 1, section 2.1). */
export const releaseSpam: Command = {
  declaration: {
    name: 'links.release-spam',
    parameters: ['mid', 'uid'],
    reply: linkReply,
  },
  async run(context) {
    const parts = partsOf(context.with, 'mid', 'uid');
    if (!parts) return refuseIncomplete(context, 'link.spam-release');
    const [mid = '', uid = ''] = parts;
    const { links } = context.services;
    const outcome = await follow(context, 'link.spam-release', parts, () => links.releaseSpam(mid, uid));
    if (outcome.kind === 'refused') return refuse(context);
    return reply(outcome.kind, outcome.at);
  },
};

/** Confirms that it was the user who asked for access to the mail archive (document 1, sections 2.1 and 8). */
export const verifyArchiveAccess: Command = {
  declaration: {
    name: 'links.verify-archive-access',
    parameters: ['accessType', 'token'],
    reply: linkReply,
  },
  async run(context) {
    const parts = partsOf(context.with, 'accessType', 'token');
    if (!parts) return refuseIncomplete(context, 'link.archive-access');
    const [accessType = '', token = ''] = parts;
    const { links } = context.services;
    const outcome = await follow(context, 'link.archive-access', parts, () =>
      links.verifyArchiveAccess(accessType, token),
    );
    return outcome.kind === 'refused' ? reply('refused') : reply(outcome.kind, outcome.at);
  },
};

/** Stops the mails that a link in one of them is about, or undoes that (RFC 8058); nobody needs to be signed in. */
export const unsubscribe: Command = {
  declaration: {
    name: 'links.unsubscribe',
    parameters: ['token', 'undo'],
    values: { undo: [true, false] },
    reply: {
      outcome: { kind: 'code', of: ['stopped', 'resumed', 'kept', 'refused'] },
      mails: { kind: 'code', of: stoppedMails, optional: true },
    },
  },
  async run(context) {
    const [token = ''] = partsOf(context.with, 'token') ?? [];
    const undo = context.with.undo === true;
    const { links } = context.services;
    const outcome = await follow(context, 'link.unsubscribe', [token], () => links.stopMails(token, undo));
    const mails = 'mails' in outcome ? { mails: outcome.mails } : {};
    return { envelope: { Succeed: true, Result: { outcome: outcome.kind, ...mails } } };
  },
};

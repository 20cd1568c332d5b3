import { liveChatPattern } from '../../../shared/contract/live-chat.ts';
import { PortalError } from '../../errors.ts';
import type { CommandDeclaration } from '../../layouts/names/command-declaration.ts';
import { ask } from '../../operations/ask.ts';
import { sessionOf, traceOf } from '../../operations/caller.ts';
import { Declined } from '../../operations/cloud-refusal.ts';
import type { Command, CommandContext, CommandReply } from '../command.ts';

/** Address of the page that hands a browser over to another site, by its ticket. */
export const handOverPath = '/hand-over/';
/** The form by which one writes to support while there is nobody to chat with. */
const ticketInstead = '/support/add-new-ticket?chat=away';

/** An address that the cloud named, of a site that the operator allows. */
function siteAddress({ services }: CommandContext, given: unknown): string {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  if (url && services.siteOrigins.has(url.origin) && url.username === '' && url.password === '') return url.href;
  services.log.error({ origin: url?.origin }, 'a site cannot be opened: SITE_ORIGINS does not name it');
  throw new PortalError('SITE_MISSING');
}

/** Leads the browser to the page that hands it over: neither this reply nor the browser's history holds the token. */
async function handOver(context: CommandContext, site: string, to: string, token?: string): Promise<CommandReply> {
  const { services, caller } = context;
  const address = siteAddress(context, to);
  const ticket = await services.signInStages.open('hand-over', { session: sessionOf(context).key, to: address, token });
  await services.audit({ action: 'site.opened', outcome: 'done', ...traceOf(caller), detail: { site } });
  const leave = { do: 'leave', to: `${services.ownOrigin()}${handOverPath}${ticket}` } as const;
  return { envelope: { Succeed: true, Result: { outcome: 'gone' }, effects: [leave] } };
}

const declared = (name: string, asks: string): Pick<CommandDeclaration, 'name' | 'asks' | 'requires' | 'reply'> => ({
  name,
  asks: [asks],
  requires: 'user-as-themselves',
  reply: { outcome: { kind: 'code', of: ['gone', 'refused'] } },
});

/** Opens the help centre, signed in (document 1, section 7). */
export const siteHelpCentre: Command = {
  declaration: declared('site.help-centre', 'sites.helpCentreToken'),
  async run(context) {
    const { Address, Token } = await ask(context, 'sites.helpCentreToken');
    return handOver(context, 'help centre', Address, Token);
  },
};

/** Opens the portal of cloud servers, signed in (document 1, section 7). */
export const siteServers: Command = {
  declaration: declared('site.servers', 'sites.serverToken'),
  async run(context) {
    const { Address, Token } = await ask(context, 'sites.serverToken');
    return handOver(context, 'cloud servers', Address, Token);
  },
};

/** Opens the live chat of support in a page of its own; while support is away, the form of a ticket. */
export const siteLiveChat: Command = {
  declaration: {
    name: 'site.live-chat',
    asks: ['support.hours', 'sites.liveChatToken'],
    requires: 'live-chatter',
    reply: { outcome: { kind: 'code', of: ['gone', 'away'] } },
  },
  async run(context) {
    const { services, caller } = context;
    const { liveChat } = services;
    if (!liveChat) throw new PortalError('SITE_MISSING');
    const { IsOutOfHours } = await ask(context, 'support.hours');
    if (IsOutOfHours) {
      const navigate = { do: 'navigate', to: ticketInstead } as const;
      return { envelope: { Succeed: true, Result: { outcome: 'away' }, effects: [navigate] } };
    }
    const { Token } = await ask(context, 'sites.liveChatToken');
    const { url, licence } = liveChat;
    const content = { session: sessionOf(context).key, to: url.href, token: Token, licence };
    const ticket = await services.signInStages.open('hand-over', content);
    await services.audit({
      action: 'site.opened',
      outcome: 'done',
      ...traceOf(caller),
      detail: { site: 'live chat' },
    });
    const leave = { do: 'leave', to: services.ownOrigin() + liveChatPattern.replace('{ticket}', ticket) } as const;
    return { envelope: { Succeed: true, Result: { outcome: 'gone' }, effects: [leave] } };
  },
};

/** Leads to a site of the cloud that asks nobody who comes, or asks by itself. */
function leaveFor(context: CommandContext, address: string): CommandReply {
  const leave = { do: 'leave', to: siteAddress(context, address) } as const;
  return { envelope: { Succeed: true, Result: { outcome: 'gone' }, effects: [leave] } };
}

/** Opens the status page of the cloud, for whom the portal has none of its own (flag NewStatusPage). */
export const siteStatusPage: Command = {
  declaration: { ...declared('site.status-page', 'network.link'), requires: 'any-user' },
  async run(context) {
    const { Url } = await ask(context, 'network.link');
    return leaveFor(context, Url);
  },
};

/** Opens the forum, which asks back who comes. */
export const siteCommunity: Command = {
  declaration: declared('site.community', 'sites.community'),
  async run(context) {
    const { Address } = await ask(context, 'sites.community');
    return leaveFor(context, Address);
  },
};

/** Answers the forum's question who somebody is (DiscourseConnect), once; any other question leads nowhere. */
export const siteCommunitySignOn: Command = {
  declaration: { ...declared('site.community-sign-on', 'sites.communityToken'), parameters: ['sso', 'sig'] },
  async run(context) {
    const { sso, sig } = context.with;
    try {
      const { Address } = await ask(context, 'sites.communityToken', { sso, sig });
      return await handOver(context, 'community', Address);
    } catch (error) {
      if (!(error instanceof Declined)) throw error;
      return { envelope: { Succeed: true, Result: { outcome: 'refused' } } };
    }
  },
};

import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import { matchRoute } from '../../../shared/rules/route.ts';
import { publicPrincipal } from '../../access/principal.ts';
import { ask } from '../../operations/ask.ts';
import type { Caller } from '../../operations/caller.ts';
import { readReturn } from '../../operations/return-address.ts';
import type { Command } from '../command.ts';
import type { PortalRequest } from '../portal-answer.ts';

/** Where an announcement's button leads; undefined where that is no screen of the caller's own. */
function reachable({ version, principal }: Caller, route: string): string | undefined {
  const access = version.access(principal);
  const to = readReturn(route, version, access, version.access(publicPrincipal));
  return to !== undefined && matchRoute(access.patterns, to.split('?', 1)[0] as string) ? to : undefined;
}

/**
 * Reads the newest announcement (a popup after sign-in) that the caller has yet to see; `{}` when there is none. What
 * leads to a screen that is not the caller's needs what that screen needs, and is not told.
 */
export async function currentAnnouncement(asked: PortalRequest) {
  const pending = await ask(asked, 'announcements.pending');
  const first = pending.find(({ Route }) => reachable(asked.caller, Route) !== undefined);
  if (first === undefined) return {};
  const { Id, Title, Content, Button } = await ask(asked, 'announcements.get', { id: first.Id });
  return { Id, Title, Content, ButtonText: Button.Text };
}

/**
 * Reads the first notice for the strip below the header, and how many there are (`Count`); users close them one by one.
 */
export async function currentNotice(asked: PortalRequest) {
  const all = await ask(asked, 'notices.list');
  return { ...all[0], Count: all.length };
}

/**
 * Never shows an announcement again, and goes where its button says (document 2, section 2). A route that the caller
 * cannot reach is not gone to.
 */
export const announcementDismiss: Command = {
  declaration: {
    name: 'announcement.dismiss',
    parameters: ['id'],
    requires: 'any-user',
    asks: ['announcements.get', 'announcements.doNotShowAgain'],
  },
  async run(context) {
    const { caller, with: given } = context;
    const { Button } = await ask(context, 'announcements.get', { id: given.id });
    await ask(context, 'announcements.doNotShowAgain', { id: given.id });
    const to = reachable(caller, Button.Route);
    const effects: ReplyEffect[] = [
      { do: 'refresh-operations', operations: ['announcements.current'] },
      ...(to === undefined ? [] : [{ do: 'navigate' as const, to }]),
    ];
    return { envelope: { Succeed: true, effects } };
  },
};

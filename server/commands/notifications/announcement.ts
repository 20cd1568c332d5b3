import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import { publicPrincipal } from '../../access/principal.ts';
import { ask } from '../../operations/ask.ts';
import { readReturn } from '../../operations/return-address.ts';
import type { Command } from '../command.ts';
import type { PortalRequest } from '../portal-answer.ts';

/** Reads the newest announcement (a popup after sign-in) that the caller has yet to see; `{}` when there is none. */
export async function currentAnnouncement(asked: PortalRequest) {
  const [id] = await ask(asked, 'announcements.pending');
  if (id === undefined) return {};
  const { Id, Title, Content, Button } = await ask(asked, 'announcements.get', { id });
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
    const { version, principal } = caller;
    const { Button } = await ask(context, 'announcements.get', { id: given.id });
    await ask(context, 'announcements.doNotShowAgain', { id: given.id });
    const to = readReturn(Button.Route, version, version.access(principal), version.access(publicPrincipal));
    const effects: ReplyEffect[] = [
      { do: 'refresh-operations', operations: ['announcements.current'] },
      ...(to === undefined ? [] : [{ do: 'navigate' as const, to }]),
    ];
    return { envelope: { Succeed: true, effects } };
  },
};

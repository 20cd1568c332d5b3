import { matchRoute } from '../../../shared/rules/route.ts';
import { PortalError } from '../../errors.ts';
import type { Requestable } from '../../layouts/index.ts';
import { ask } from '../../operations/ask.ts';
import type { Caller } from '../../operations/caller.ts';
import { staleAfter } from '../../operations/stale-reads.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command } from '../command.ts';

/** The address from which a screen is asked for; '' for another's, and for a node. */
function addressOf({ route }: Requestable, { version }: Caller, from: unknown): string {
  const address = typeof from === 'string' && from.length <= 500 ? from : '';
  const found = address.startsWith('/') ? matchRoute(version.patterns, address.split(/[?#]/, 1)[0] ?? '') : undefined;
  return route !== undefined && found?.pattern === route ? address : '';
}

/** Asks in the caller's name for the rights that something needs which their documents mark as requestable. */
export const accessAsk: Command = {
  declaration: {
    name: 'access.ask',
    parameters: ['mark', 'from'],
    body: 'ask',
    requires: 'user-as-themselves',
    asks: ['accessRequests.make'],
  },
  async run(context) {
    const { caller, body, with: given } = context;
    const wanted = caller.access.requestable.get(String(given.mark));
    // Of something that is not marked and of something that the caller has by now the same is said.
    if (!wanted) throw new PortalError('NOT_FOUND', { detail: 'nothing that the caller may ask for' });
    const { views, permissions, prices } = wanted.rights;
    await ask(
      context,
      'accessRequests.make',
      {},
      {
        body: {
          Mark: String(given.mark),
          Title: wanted.title,
          Address: addressOf(wanted, caller, given.from),
          Rights: [...views, ...permissions, ...(prices ? ['prices'] : [])],
          Reason: textOf(body.Reason),
        },
      },
    );
    return { envelope: { Succeed: true, effects: staleAfter(caller, 'accessRequests.make') } };
  },
};

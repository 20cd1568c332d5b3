import { matchRoute } from '../../../shared/rules/route.ts';
import { PortalError } from '../../errors.ts';
import type { Command } from '../command.ts';

/** Leads to a screen of the caller's own by its address, which a row of a list has. */
export const screenOpen: Command = {
  declaration: {
    name: 'screen.open',
    parameters: ['address'],
    requires: 'any-user',
  },
  async run({ with: { address }, caller: { access } }) {
    const to = String(address ?? '');
    if (!to.startsWith('/') || to.includes('{') || !matchRoute(access.patterns, to.split(/[?#]/, 1)[0] ?? ''))
      throw new PortalError('NOT_FOUND');
    return { envelope: { Succeed: true, effects: [{ do: 'navigate', to }] } };
  },
};

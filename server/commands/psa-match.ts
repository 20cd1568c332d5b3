import { longestChanges, readChanges } from '../../shared/rules/changes.ts';
import { PortalError } from '../errors.ts';
import { ask } from './ask.ts';
import type { Command } from './context.ts';
import { Declined } from './declined.ts';

/** Where each kind is written, and what of it is then to be read again. */
const kinds: Readonly<Record<string, { readonly update: string; readonly stale: readonly string[] }>> = {
  customers: { update: 'psa.updateCustomers', stale: ['psa.customerMatches', 'psa.overview'] },
  services: { update: 'psa.updateServices', stale: ['psa.serviceMatches', 'psa.overview'] },
};

/** Saves what was changed in the matches with a business system, over the version that was read. */
export const psaMatch: Command = {
  declaration: {
    name: 'psa.match',
    parameters: ['kind', 'version'],
    requires: { userTypes: ['reseller', 'engineer'], views: ['pSA'] },
    ownBody: true,
    asks: Object.values(kinds).map(({ update }) => update),
  },
  async run(context) {
    const { kind, version } = context.with;
    const { Changes } = context.body;
    const found = kinds[String(kind)];
    const isLong = typeof Changes === 'string' && Changes.length > longestChanges;
    const read = isLong ? undefined : readChanges(Changes);
    if (!found || !read || read.size === 0 || typeof version !== 'number')
      throw new PortalError('BAD_REQUEST', { detail: 'changes of matches' });
    const effects = [{ do: 'refresh-operations', operations: found.stale }] as const;
    const changes = [...read].map(([id, { option, ignored }]) => ({ id, optionId: option, ignored }));
    try {
      await ask(context, found.update, {}, { body: { changes, version }, detail: () => ({ changes: changes.length }) });
    } catch (error) {
      if (error instanceof Declined && error.reply.status === 409 && error.reply.envelope.Error === 'Conflict')
        throw new PortalError('RECORD_CHANGED', { effects });
      throw error;
    }
    return { envelope: { Succeed: true, effects } };
  },
};

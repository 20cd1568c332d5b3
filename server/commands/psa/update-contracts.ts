import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import { Declined } from '../../operations/cloud-refusal.ts';
import { staleAfter } from '../../operations/stale-reads.ts';
import type { Command } from '../command.ts';

const update = 'psa.updateContracts';

/**
 * Writes to the contracts of the business system what the dry run of `version` showed of an invoice. Where that has
 * changed since, nothing is written, and the caller gets the new dry run.
 * @throws {PortalError} CONTRACTS_CHANGED
 */
export const psaUpdateContracts: Command = {
  declaration: {
    name: 'psa.update-contracts',
    parameters: ['documentId', 'version'],
    requires: 'invoice-comparer',
    asks: [update],
  },
  async run(context) {
    const { documentId, version } = context.with;
    const effects = staleAfter(context.caller, update);
    if (typeof version !== 'string') throw new PortalError('BAD_REQUEST', { detail: 'version of a dry run' });
    try {
      await ask(context, update, { documentId }, { body: { Version: version } });
    } catch (error) {
      if (error instanceof Declined && error.reply.status === 409 && error.reply.envelope.Error === 'Changed')
        throw new PortalError('CONTRACTS_CHANGED', { effects });
      throw error;
    }
    return { envelope: { Succeed: true, effects } };
  },
};

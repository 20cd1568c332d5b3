import { matchKind } from '../../../shared/language/nodes/match.ts';
import { readChanges } from '../../../shared/rules/match-changes.ts';
import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import { Declined } from '../../operations/cloud-refusal.ts';
import { beyondBounds } from '../../operations/json-bounds.ts';
import { staleAfter } from '../../operations/stale-reads.ts';
import type { Command } from '../command.ts';

/** Where each kind is written. */
const updates = { customers: 'psa.updateCustomers', services: 'psa.updateServices' } as const;
/** Ten thousand matches of three values each. */
const changesBounds = { depth: 2, values: 40_000 };
const isKind = (kind: unknown): kind is keyof typeof updates => Object.hasOwn(updates, String(kind));

/** Saves what was changed in the matches with a business system, over the version that was read. */
export const psaMatch: Command = {
  declaration: {
    name: 'psa.match',
    parameters: ['kind', 'version'],
    values: { kind: Object.keys(updates) },
    requires: 'psa-user',
    ownBody: true,
    asks: Object.values(updates),
  },
  async run(context) {
    const { kind, version } = context.with;
    const { Changes } = context.body;
    const update = isKind(kind) ? updates[kind] : undefined;
    const isLong = typeof Changes === 'string' && Changes.length > matchKind.rules.holds.maxLength;
    const read = isLong || beyondBounds(String(Changes ?? ''), changesBounds) ? undefined : readChanges(Changes);
    if (!update || !read || read.size === 0 || typeof version !== 'number')
      throw new PortalError('BAD_REQUEST', { detail: 'changes of matches' });
    const effects = staleAfter(context.caller, update);
    const changes = [...read].map(([id, { option, ignored }]) => ({ id, optionId: option, ignored }));
    try {
      await ask(context, update, {}, { body: { changes, version }, detail: () => ({ changes: changes.length }) });
    } catch (error) {
      if (error instanceof Declined && error.reply.status === 409 && error.reply.envelope.Error === 'Conflict')
        throw new PortalError('RECORD_CHANGED', { effects });
      throw error;
    }
    return { envelope: { Succeed: true, effects } };
  },
};

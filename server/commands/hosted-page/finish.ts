import { finishHostedPage, longestField, mostFields, pageKey } from '../../../shared/contract/hosted-page.ts';
import { PortalError } from '../../errors.ts';
import { call } from '../../operations/ask.ts';
import { sessionOf } from '../../operations/caller.ts';
import { staleAfter } from '../../operations/stale-reads.ts';
import type { Command } from '../command.ts';

/**
 * Passes what a provider's form answered to the operation that takes it, once, in the session that opened the page, and
 * believes its reply alone. The portal cannot judge the fields: the cloud holds the provider's keys.
 */
export const hostedPageFinish: Command = {
  declaration: {
    name: finishHostedPage,
    requires: 'any-user',
    ownBody: true,
  },
  async run(context) {
    const { body, caller, services } = context;
    const { [pageKey]: given, ...fields } = body;
    // Before the page is taken, which can be done once.
    const values = Object.values(fields);
    if (values.length > mostFields || values.some(value => typeof value !== 'string' || value.length > longestField))
      throw new PortalError('BAD_REQUEST', { detail: 'fields of a hosted page' });
    const key = typeof given === 'string' ? given : undefined;
    const found = await services.signInStages.find(key, 'hosted-page-open');
    const isOwn = found?.session === sessionOf(context).key;
    const page = isOwn ? await services.signInStages.take(key, 'hosted-page-open') : undefined;
    if (!page) throw new PortalError('HOSTED_PAGE_OVER');
    const operation = caller.version.operations.get(page.answer);
    if (!operation) throw new PortalError('HOSTED_PAGE_OVER', { detail: `no operation ${page.answer}` });
    await call(context, { name: page.answer, operation, parameters: {} }, fields);
    return { envelope: { Succeed: true, effects: staleAfter(caller, page.answer) } };
  },
};

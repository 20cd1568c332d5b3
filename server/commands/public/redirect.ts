import { traceOf } from '../../operations/caller.ts';
import type { Command, CommandContext } from '../command.ts';
import { type RedirectTarget, readTarget } from './redirect-target.ts';

/** What the audit keeps of an address: neither who signs in there nor its query, which may be secret. */
const withoutSecrets = (given: unknown): string =>
  (String(given ?? '').split(/[?#]/, 1)[0] as string).replace(/\/\/.*@/, '//');

const targetOf = ({ with: given, caller, services }: CommandContext): RedirectTarget | undefined =>
  readTarget(given.redirectUrl, services.redirects, caller);

async function record({ with: given, caller, services }: CommandContext, outcome: 'done' | 'refused'): Promise<void> {
  await services.audit({
    action: 'redirect',
    outcome,
    ...traceOf(caller),
    detail: { to: withoutSecrets(given.redirectUrl) },
  });
}

/** Says where an address leads before anybody goes there (document 1, section 2.1). */
export const redirectOpen: Command = {
  declaration: {
    name: 'redirect.open',
    parameters: ['redirectUrl'],
    reply: { outcome: { kind: 'code', of: ['allowed', 'refused'] }, address: 'url?' },
  },
  async run(context) {
    const target = targetOf(context);
    if (!target) await record(context, 'refused');
    const Result = target ? { outcome: 'allowed', address: target.shown } : { outcome: 'refused' };
    return { envelope: { Succeed: true, Result } };
  },
};

/** Goes there: checked again, since nothing that the browser says is believed. */
export const redirectFollow: Command = {
  declaration: {
    name: 'redirect.follow',
    parameters: ['redirectUrl'],
    reply: { outcome: { kind: 'code', of: ['gone', 'refused'] } },
  },
  async run(context) {
    const target = targetOf(context);
    await record(context, target ? 'done' : 'refused');
    if (!target) return { envelope: { Succeed: true, Result: { outcome: 'refused' } } };
    const effect =
      target.kind === 'outside'
        ? ({ do: 'leave', to: target.to } as const)
        : ({ do: 'navigate', to: target.to, replace: true } as const);
    return { envelope: { Succeed: true, Result: { outcome: 'gone' }, effects: [effect] } };
  },
};

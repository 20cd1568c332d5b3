import { PortalError } from '../../errors.ts';
import { traceOf } from '../../operations/caller.ts';
import { textOf } from '../../operations/text-of.ts';
import { strategies } from '../../session/strategies/index.ts';
import type { Command, CommandContext } from '../command.ts';
import { openSessionOrAskView, refuseLocked } from './open-session.ts';

/** Letters of a part of a link that are looked at. */
const longest = 200;

async function record(
  { caller, services }: CommandContext,
  outcome: 'done' | 'refused',
  who: { readonly account?: string; readonly actor?: string },
  detail: Readonly<Record<string, string>>,
): Promise<void> {
  await services.audit({ action: 'session.jump', outcome, ...traceOf(caller), ...who, detail });
}

/**
 * An administrator goes on as another, by the link of another system (document 1, sections 2.1 and 4). A session that
 * this browser has is over then. Nobody jumps who is somebody else already: they do not have this command.
 */
export const authJump: Command = {
  declaration: {
    name: 'auth.jump',
    parameters: ['cmtoken', 'adminid'],
    opens: ['switch-user'],
    requires: { all: ['anyone-but-must-sign', { jumped: false }] },
  },
  async run(context) {
    const { caller, with: given, services } = context;
    const [cmtoken, adminid] = [textOf(given.cmtoken).slice(0, longest), textOf(given.adminid).slice(0, longest)];
    const counter = `jump of ${adminid}`;
    const { attempts } = services;
    if ((await attempts.admit(counter, caller.address, true)) !== 'admitted') {
      await record(context, 'refused', {}, { adminid, why: 'locked' });
      throw new PortalError('JUMP_INVALID', { detail: 'locked' });
    }
    const outcome = await strategies.jump(services.accounts, { cmtoken, adminid }).catch(async error => {
      await attempts.forgive(counter, caller.address, 'unchecked');
      throw error;
    });
    if (outcome.kind === 'refused') {
      await record(context, 'refused', {}, { adminid, why: 'wrong' });
      throw new PortalError('JUMP_INVALID');
    }
    await attempts.forgive(counter, caller.address, 'right');
    const { actor, userName, tokens } = outcome;
    await refuseLocked(context, userName, tokens).catch(async error => {
      if (!(error instanceof PortalError) || error.code !== 'TOO_MANY') throw error;
      await record(context, 'refused', { account: userName, actor }, { adminid, why: 'locked' });
      throw new PortalError('JUMP_INVALID');
    });
    const reply = await openSessionOrAskView(context, outcome, '', { acting: { jumpedBy: actor } });
    if (caller.session) await services.sessions.end(caller.session.key, 'jumped', caller.identifier, 'replaced');
    await record(context, 'done', { account: userName, actor }, { adminid });
    return reply;
  },
};

import { type StepReply, stepName } from '../../../shared/contract/steps.ts';
import type { FieldNode, StepsNode } from '../../../shared/language/types.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { formatValue } from '../../../shared/rules/format.ts';
import { interpolate } from '../../../shared/rules/text.ts';
import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import { checkBody } from '../../operations/check-body.ts';
import { Declined, orDeclined } from '../../operations/cloud-refusal.ts';
import type { OperationReplies } from '../../operations/operation-replies.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command, CommandContext, CommandReply } from '../command.ts';
import { withProof } from '../identity/proof.ts';
import { labelOf, stepContract, stepReply, wordsOf } from '../wizard/step-reply.ts';
import { readEpoch } from './cloud-epoch.ts';

/** What of a mailbox can be recovered; days as YYYY-MM-DD (document 2, section 3). */
type Info = OperationReplies['mail.recoveryInfo'];

const dates = ['StartDate', 'EndDate'] as const;

/** The dates of the first step, bounded by what is kept. */
function dateFields(context: CommandContext, { MinDate: min, MaxDate: max }: Info): FieldNode[] {
  const words = wordsOf(context);
  const write = (day: string) => formatValue(day, 'date', context.caller.principal.facts);
  const bounds = { first: write(min), last: write(max) };
  return dates.map(propertyName => ({
    type: 'field',
    propertyName,
    kind: 'date',
    label: labelOf(words, propertyName),
    mandatory: true,
    min,
    max,
    toolTip: interpolate(words.kept, bounds),
  }));
}

/** The fields of a step as the caller has them. */
const fieldsOf = ({ node }: CommandContext, step: string): FieldNode[] =>
  fieldsIn((node as StepsNode).steps.find(({ id }) => id === step)?.children);

function momentOf(wire: string): string {
  const moment = readEpoch(wire);
  if (!moment) throw new PortalError('UPSTREAM_GARBLED', { detail: 'no epoch' });
  return moment.toISOString();
}

/** All that was said of a refusal, since a page shows the first message. */
function told(error: unknown): unknown {
  if (!(error instanceof Declined)) return error;
  const { envelope, ...reply } = error.reply;
  const { Messages = [] } = envelope;
  return Messages.length < 2
    ? error
    : new Declined({ ...reply, envelope: { ...envelope, Messages: [Messages.join(' ')] } });
}

/** What the cloud could not answer is said by the wizard's own word (document 2, section 8). */
function unreachable(error: unknown, { genericError }: ReturnType<typeof wordsOf>): unknown {
  if (!(error instanceof PortalError) || !error.code.startsWith('UPSTREAM_')) return error;
  return new PortalError(error.code, { ...error.parts, said: interpolate(genericError, {}) });
}

async function step(context: CommandContext): Promise<CommandReply> {
  const { body, with: given } = context;
  const at = textOf(body[stepName]);
  if (at === 'done') return { envelope: { Succeed: true, effects: [{ do: 'close-popup' }] } };
  const customer = { customerId: textOf(given.customer) };
  const Address = textOf(given.mailbox);
  const info = await ask(context, 'mail.recoveryInfo', customer, { body: { Address } });
  const first = [...dateFields(context, info), ...fieldsOf(context, 'dates')];
  if (at === '') {
    const { DomainName, IsUserMessage, Deliver } = info;
    const facts = { DomainName, IsUserMessage };
    return stepReply({ step: 'dates', children: dateFields(context, info), values: { Deliver }, facts });
  }
  if (at === 'dates') {
    const request = { Address, ...checkBody(first, body, context.caller) };
    const { EpFrom, EpTo, ...shown } = await ask(context, 'mail.recoveryConfirm', customer, {
      body: request,
    });
    const { Restore, EmailCount, Duration, ResDomain, Deliver } = shown;
    const facts = { Restore, EmailCount, Duration, ResDomain, Deliver, From: momentOf(EpFrom), To: momentOf(EpTo) };
    return stepReply({ step: 'confirm', values: {}, facts } satisfies StepReply);
  }
  if (at !== 'confirm') throw new PortalError('NOT_FOUND');
  const request = { Address, ...checkBody([...first, ...fieldsOf(context, 'confirm')], body, context.caller) };
  const reply = await withProof(context, 'mailbox.recovery', ['Password'], async () => {
    const started = await orDeclined(ask(context, 'mail.recoveryStart', customer, { body: request }));
    if (typeof started === 'object') return started;
    // Only true has started it.
    return { status: 200, envelope: { Succeed: started === true } };
  });
  return reply.envelope.Succeed ? stepReply({ step: 'done', values: {} }) : reply;
}

/**
 * Leads through the recovery of a mailbox's mail (document 2, sections 4, 5 and 8): dates and where to deliver, what would
 * be done and the caller's own password, and that it has begun. The password is counted with the attempts to sign in.
 */
export const recoveryStep: Command = {
  declaration: {
    name: 'recovery.step',
    parameters: ['customer', 'mailbox'],
    reply: {
      ...stepContract,
      facts: {
        optional: true,
        of: {
          DomainName: 'domain?',
          IsUserMessage: 'yes-no?',
          Restore: 'text?',
          From: 'time?',
          To: 'time?',
          EmailCount: 'count?',
          Duration: 'text?',
          ResDomain: 'domain?',
          Deliver: 'text?',
        },
      },
    },
    requires: 'recovery-manager',
    ownBody: true,
    asks: ['mail.recoveryInfo', 'mail.recoveryConfirm', 'mail.recoveryStart'],
  },
  run: context =>
    step(context).catch(error => {
      throw unreachable(told(error), wordsOf(context));
    }),
};

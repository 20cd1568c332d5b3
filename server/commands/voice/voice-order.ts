import { randomUUID } from 'node:crypto';
import { type DraftState, type StepReply, stepName, toName, versionName } from '../../../shared/contract/steps.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import { readRows, writeRows } from '../../../shared/rules/rows.ts';
import { interpolate } from '../../../shared/rules/text.ts';
import { normaliseValue } from '../../../shared/rules/validation.ts';
import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import { checkBody } from '../../operations/check-body.ts';
import { Declined } from '../../operations/cloud-refusal.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Draft, DraftKey } from '../../store/drafts.ts';
import type { Command, CommandContext, CommandReply } from '../command.ts';
import { boundStep, nextStep, type StepProgress, stepStates } from '../wizard/step-order.ts';
import { draftContract, stampOf, stepContract, stepReply, stepsContract, wordsOf } from '../wizard/step-reply.ts';
import {
  fieldsOfStep,
  findMissing,
  offeredFields,
  statesOf,
  summariseVoiceOrder,
  type Values,
  type ValuesByStep,
  type VoiceCatalogue,
  type VoiceQuote,
  voiceOrder,
  voiceSteps,
} from './voice-form.ts';

/** What a draft holds; the reference names the order to the cloud, which places it once. */
type Content = {
  readonly reference: string;
  /** Name of the customer. */
  readonly name: string;
  readonly answers: ValuesByStep;
  readonly at: string;
};
type VoiceDraft = Draft & { readonly content: Content };

/** One order on its way: for whom, what was kept of it, and what the cloud offers. */
type Order = {
  readonly organisationId: string;
  readonly key: DraftKey;
  readonly draft: VoiceDraft | undefined;
  readonly catalogue: VoiceCatalogue;
};

const requires = 'seller-or-buyer';
const first = voiceSteps[0];

const isStep = (step: string): boolean => (voiceSteps as readonly string[]).includes(step);

/** An administrator of a customer orders for that customer, whatever the browser says. */
function keyOf({ caller, with: given }: CommandContext): DraftKey {
  const { type, facts } = caller.principal;
  const subject = type === 'endUserAdmin' ? facts.organisationId : textOf(given.customer);
  if (subject === '') throw new PortalError('NOT_FOUND');
  return { owner: facts.identity, kind: 'voice', subject };
}

const find = ({ services }: CommandContext, key: DraftKey) =>
  services.drafts.find(key) as Promise<VoiceDraft | undefined>;

/** Keeps what was typed over what it was typed over. Throws RECORD_CHANGED, or STEP_OVER where nothing is left of it. */
async function keep(context: CommandContext, { key, draft }: Pick<Order, 'key' | 'draft'>, content: Content) {
  const given = context.body[versionName];
  if (!draft) throw new PortalError('STEP_OVER');
  const over = given === undefined ? draft.version : given;
  if (typeof over !== 'number') throw new PortalError('BAD_REQUEST', { detail: 'no version' });
  const kept = await context.services.drafts.keep(key, content, over);
  if (!kept) throw new PortalError('RECORD_CHANGED');
  return kept;
}

const draftState = ({ version, savedAt }: Draft): DraftState => ({ version, at: savedAt.toISOString() });

/** Values that can be kept as they are: what was typed in the fields that are there, right or not. */
function typedIn(fields: readonly FieldNode[], body: Values): Values {
  return Object.fromEntries(
    fields
      .map(field => [field.propertyName, normaliseValue(field, body[field.propertyName])] as const)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  );
}

/** Rows move up to the places of those that were removed. */
function inOrder(step: string, values: Values): Values {
  return step === 'sites' ? writeRows('Sites', readRows('Sites', values)) : values;
}

/** What a step lacks, or what is wrong with it, is thrown as FIELDS_INVALID. */
function checkStep(step: string, fields: readonly FieldNode[], body: Values, context: CommandContext): Values {
  const values = checkBody(fields, body, context.caller);
  const lack = findMissing(step, fields, values);
  if (!lack) return values;
  const said = interpolate(wordsOf(context)[lack.word], {});
  throw new PortalError('FIELDS_INVALID', { errors: { [lack.field]: [said] } });
}

/** The steps by what is kept; one is done while what was typed in it is right. */
function stepsOf(context: CommandContext, answers: ValuesByStep, catalogue: VoiceCatalogue): StepProgress[] {
  return statesOf(answers, step => {
    const values = answers[step];
    if (step === 'summary' || !values) return false;
    try {
      checkStep(step, fieldsOfStep(step, catalogue, context), values, context);
      return true;
    } catch (error) {
      if (error instanceof PortalError && error.code === 'FIELDS_INVALID') return false;
      throw error;
    }
  });
}

const orderOf = (order: Order, { reference, answers }: Content) => voiceOrder(reference, answers, order.catalogue);

const quoteOf = (context: CommandContext, order: Order, content: Content): Promise<VoiceQuote> =>
  ask(context, 'voice.quote', { organisationId: order.organisationId }, { body: orderOf(order, content) });

const stamp = ({ MonthlyPrice, HardwarePrice, DeliveryCost }: VoiceQuote): string =>
  stampOf([MonthlyPrice, HardwarePrice, DeliveryCost]);

/** The step that one is at. */
async function show(
  context: CommandContext,
  order: Order,
  content: Content,
  steps: readonly StepProgress[],
): Promise<StepReply> {
  const { answers, at, name: title } = content;
  const states = stepStates(steps);
  if (at === 'summary') {
    const quote = await quoteOf(context, order, content);
    return {
      step: at,
      title,
      children: [{ type: 'field', propertyName: '$price', kind: 'hidden' }],
      values: { $price: stamp(quote) },
      facts: summariseVoiceOrder(answers, order.catalogue, quote, context),
      steps: states,
    };
  }
  const { Price } = order.catalogue.Products.find(({ Id }) => Id === 'hosted-voice') ?? {};
  return {
    step: at,
    title,
    children: offeredFields(at, order.catalogue, context),
    values: { ...answers[at] },
    facts: at === 'licences' && Price !== undefined ? { LicencePrice: Price } : {},
    steps: states,
  };
}

/** Keeps where one is now and shows it; what the cloud declines is told before anything is kept. */
async function moveTo(context: CommandContext, order: Order, content: Content, steps: readonly StepProgress[]) {
  const reply = await show(context, order, content, steps);
  const kept = await keep(context, order, content);
  return stepReply({ ...reply, draft: draftState(kept) });
}

/** A new draft: for a customer that the cloud knows. */
async function begin(context: CommandContext, order: Order): Promise<CommandReply> {
  const { organisationId, key, draft } = order;
  const { OrganisationName: name } = await ask(context, 'voice.orders', {
    organisationId,
  });
  const content: Content = { reference: randomUUID(), name, answers: {}, at: first };
  const kept = draft ? await keep(context, order, content) : await context.services.drafts.keep(key, content);
  const steps = stepsOf(context, content.answers, order.catalogue);
  const reply = await show(context, order, content, steps);
  return stepReply({ ...reply, ...(kept && { draft: draftState(kept) }) });
}

/** Asks whether to go on where one stopped. */
function askToResume(context: CommandContext, { catalogue }: Order, draft: VoiceDraft): CommandReply {
  const { content, savedAt } = draft;
  return stepReply({
    step: 'resume',
    title: content.name,
    values: { Resume: 'on' },
    facts: { SavedAt: savedAt.toISOString() },
    steps: stepStates(stepsOf(context, content.answers, catalogue)),
    draft: draftState(draft),
  });
}

/** Goes to a step of what is kept; one whose price cannot be had now gives way to the one before. */
async function goOn(context: CommandContext, order: Order, draft: VoiceDraft, wanted: string): Promise<CommandReply> {
  const steps = stepsOf(context, draft.content.answers, order.catalogue);
  const at = boundStep(steps, wanted);
  const reply = await show(context, order, { ...draft.content, at }, steps).catch(error => {
    if (!(error instanceof Declined) || at !== 'summary') throw error;
    const before = stepStates(steps).at(-2)?.id ?? first;
    return show(context, order, { ...draft.content, at: before }, steps);
  });
  return stepReply({ ...reply, draft: draftState(draft) });
}

/** Places the order at the price that was shown, and forgets the draft. */
async function place(context: CommandContext, order: Order, content: Content, steps: readonly StepProgress[]) {
  const quote = await quoteOf(context, order, content).catch(error => {
    // A press that is repeated meets its own order: the cloud knows it by its reference.
    if (error instanceof Declined) return undefined;
    throw error;
  });
  if (quote && stamp(quote) !== context.body.$price) return moveTo(context, order, content, steps);
  const { organisationId } = order;
  const { OrderId, OrderNumber } = await ask(
    context,
    'voice.place',
    { organisationId },
    { body: orderOf(order, content), detail: done => ({ ...(done && { number: done.OrderNumber }) }) },
  );
  await context.services.drafts.drop(order.key);
  const text = interpolate(wordsOf(context).placed, { number: OrderNumber });
  const to = `/customers/customer/${encodeURIComponent(organisationId)}/manage-service/hosted-voice`;
  return {
    envelope: {
      Succeed: true,
      effects: [
        { do: 'toast', text, kind: 'ok' },
        { do: 'navigate', to, replace: true },
        {
          do: 'open-popup',
          popup: 'voice-order-summary',
          with: { organisationId: { value: organisationId }, orderId: { value: String(OrderId) } },
        },
      ],
    },
  } satisfies CommandReply;
}

async function step(context: CommandContext): Promise<CommandReply> {
  const { body } = context;
  const key = keyOf(context);
  const [draft, catalogue] = await Promise.all([find(context, key), ask(context, 'voice.catalogue')]);
  const order: Order = { organisationId: key.subject, key, draft, catalogue };
  const [asked, to] = [textOf(body[stepName]), textOf(body[toName])];
  if (asked === '' || asked === 'resume') {
    if (!draft || body.Resume === 'again') return begin(context, order);
    if (to !== '') return goOn(context, order, draft, to);
    const isBlank = Object.keys(draft.content.answers).length === 0;
    if (asked === '' && !isBlank) return askToResume(context, order, draft);
    return goOn(context, order, draft, draft.content.at);
  }
  if (!draft) throw new PortalError('STEP_OVER');
  if (!isStep(asked)) throw new PortalError('NOT_FOUND');
  const fields = fieldsOfStep(asked, catalogue, context);
  const { [stepName]: _, [toName]: __, [versionName]: ___, ...typed } = body;
  const values = to === '' ? checkStep(asked, fields, typed, context) : typedIn(fields, typed);
  const answers =
    asked === 'summary' ? draft.content.answers : { ...draft.content.answers, [asked]: inOrder(asked, values) };
  const steps = stepsOf(context, answers, catalogue);
  if (asked === 'summary' && to === '' && boundStep(steps, asked) === asked)
    return place(context, order, { ...draft.content, at: asked }, steps);
  const at = to === '' ? nextStep(steps, asked) : boundStep(steps, to);
  return moveTo(context, order, { ...draft.content, answers, at }, steps);
}

async function keepTyped(context: CommandContext): Promise<CommandReply> {
  const { body } = context;
  const key = keyOf(context);
  const [draft, catalogue] = await Promise.all([find(context, key), ask(context, 'voice.catalogue')]);
  const asked = textOf(body[stepName]);
  if (!isStep(asked) || asked === 'summary') throw new PortalError('NOT_FOUND');
  const values = inOrder(asked, typedIn(fieldsOfStep(asked, catalogue, context), body));
  const content = { ...draft?.content, answers: { ...draft?.content.answers, [asked]: values }, at: asked } as Content;
  const kept = await keep(context, { key, draft }, content);
  return { envelope: { Succeed: true, Result: { draft: draftState(kept) } } };
}

/**
 * Leads through an order of hosted voice (document 2, section 3, order wizard). What is typed is kept as a draft of the
 * account, for each customer one, so that a reload or another device goes on where it stopped; every step is validated
 * anew by what is kept, and hidden steps, whatever they hold, are no part of the order.
 */
export const voiceStep: Command = {
  declaration: {
    name: 'voice.step',
    parameters: ['customer'],
    reply: {
      ...stepContract,
      steps: stepsContract,
      draft: { of: draftContract, optional: true },
      facts: {
        optional: true,
        of: {
          SavedAt: 'time?',
          LicencePrice: 'money?',
          MonthlyPrice: 'money?',
          HardwarePrice: 'money?',
          DeliveryCost: 'money?',
          TotalOnce: 'money?',
          EstimatedCompletionDate: 'time?',
          Product: 'text?',
          MitelLicences: 'count?',
          NonMitelLicences: 'count?',
          CallReportingAddress: 'email?',
          Delivery: 'text?',
          DeliveryAddress: 'text?',
          Sites: { optional: true, of: [{ Letter: 'text', Name: 'text', Address: 'text' }] },
          Hardware: { optional: true, of: [{ ProductId: 'id', Name: 'text', Quantity: 'count', Price: 'money?' }] },
        },
      },
    },
    requires,
    ownBody: true,
    asks: ['voice.catalogue', 'voice.orders', 'voice.quote', 'voice.place'],
    opens: ['voice-order-summary'],
  },
  run: step,
};

/** Keeps what is typed in a step of it, right or not. */
export const voiceKeep: Command = {
  declaration: {
    name: 'voice.keep',
    parameters: ['customer'],
    reply: { draft: draftContract },
    requires,
    ownBody: true,
    asks: ['voice.catalogue'],
  },
  run: keepTyped,
};

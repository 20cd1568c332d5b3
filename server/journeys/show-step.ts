import { createHash } from 'node:crypto';
import type { ReplyEffect } from '../../shared/contract/envelope.ts';
import type { DraftState, StepReply, StepState } from '../../shared/contract/steps.ts';
import type { Bindings, Effect, JourneyCall, Node } from '../../shared/language/types.ts';
import { isSecret } from '../../shared/rules/fields.ts';
import { formatValue } from '../../shared/rules/format.ts';
import { bind, bindAll, fillAddress, readPath, type Scope } from '../../shared/rules/path.ts';
import { interpolate, resolveText } from '../../shared/rules/text.ts';
import { formatContextOf } from '../access/format-context.ts';
import { decide } from '../access/requirement.ts';
import { commands } from '../commands/index.ts';
import { stepStates } from '../commands/wizard/step-order.ts';
import { keptNotice } from '../commands/wizard/step-reply.ts';
import { Declined } from '../operations/cloud-refusal.ts';
import { notPermitted } from '../operations/not-permitted.ts';
import { askAll, boundCalls, contractOfCall, moneyIn } from './journey-call.ts';
import type { KeptAnswers } from './journey-draft.ts';
import {
  type AnswersByStep,
  isOnTheWay,
  type JourneyRun,
  makeOwnStep,
  type OwnStep,
  type Price,
  type Replies,
  type StepView,
  scopeOf,
  stepsOf,
  typedIn,
  type Values,
  type Walk,
} from './journey-steps.ts';
import { readAnswers } from './made-nodes.ts';
import { summaryFacts, summaryNodes } from './summary.ts';

type Calls = Readonly<Record<string, JourneyCall>>;

/** Fetches the data that a whole journey needs before its first step (`prepare` in its document). */
export const prepare = (run: JourneyRun): Promise<Replies> =>
  askAll(run.context, run.journey.prepare, scopeOf(run, {}, {}));

/** The replies as the browser may have them: of operations the fields that the caller's layouts read. */
function shownReplies({ context: { caller } }: JourneyRun, replies: Replies, calls: Calls, text: string): Values {
  const shown = Object.entries(replies).flatMap(([name, envelope]) => {
    const operation = calls[name]?.operation;
    if (!text.includes(`data.${name}.`)) return [];
    const reply =
      operation === undefined ? { Result: envelope.Result } : caller.access.project(operation, { ...envelope });
    return [[name, reply] as const];
  });
  return Object.fromEntries(shown);
}

/** Gives the answers by step, without secrets (passwords, codes). */
export function shownAnswers({ views, answers }: Pick<Walk, 'views' | 'answers'>): AnswersByStep {
  return Object.fromEntries(
    views.flatMap(({ id, fields }) => {
      const secret = new Set(fields.filter(isSecret).map(({ propertyName }) => propertyName));
      const own = Object.entries(answers[id] ?? {}).filter(([name]) => !secret.has(name));
      return answers[id] ? [[id, Object.fromEntries(own)] as const] : [];
    }),
  );
}

/** First values of the fields of a step: what was typed, but for passwords and codes, else what the field begins with. */
function valuesOf({ fields, values }: Pick<StepView, 'fields' | 'values'>, scope: Scope): Values {
  const secret = new Set(fields.filter(isSecret).map(({ propertyName }) => propertyName));
  const typed = Object.entries(values).filter(([name]) => !secret.has(name));
  const initial = fields.flatMap(({ propertyName, initial }) => {
    const value = initial === undefined ? undefined : bind(initial, scope);
    return value === undefined || value === null ? [] : [[propertyName, value] as const];
  });
  return Object.fromEntries([...initial, ...typed]);
}

/**
 * Asks what stands beside a step, by what is typed there, right or not. Nothing is there of what the cloud refuses for
 * what is typed.
 */
async function askEstimates(run: JourneyRun, { step, data }: StepView, answers: AnswersByStep): Promise<Replies> {
  if (step.estimate === undefined) return {};
  return askAll(run.context, step.estimate, scopeOf(run, data, answers)).catch(error => {
    if (error instanceof Declined) return {};
    throw error;
  });
}

/** The same by what the step begins with. */
function estimateFirst(run: JourneyRun, { answers }: Walk, view: StepView): Promise<Replies> {
  const values = valuesOf(view, scopeOf(run, view.data, answers));
  return askEstimates(run, view, { ...answers, [view.id]: readAnswers(view, values) });
}

/** Makes the reply for what a step shows beside its fields, such as a price, by what is typed there so far. */
export async function estimate(run: JourneyRun, { answers }: Walk, view: StepView): Promise<StepReply> {
  const { step, drawn } = view;
  const estimated = await askEstimates(run, view, answers);
  const data = shownReplies(run, estimated, step.estimate ?? {}, JSON.stringify([drawn.aside, drawn.bar]));
  return { step: view.id, values: {}, ...(Object.keys(data).length > 0 && { data }) };
}

/**
 * Says of each step for the list of steps whether it is done and may be opened. A journey without a draft lets users go
 * back one step at a time only.
 */
export function statesOf(run: JourneyRun, { views }: Walk): StepState[] {
  const { journey } = run;
  const states = stepStates(views.filter(({ isHidden }) => !isHidden));
  const ends = stepsOf(run).filter(({ step }) => step.last);
  return [
    ...states.map(state => (journey.draft ? state : { ...state, isOpen: false })),
    ...ends.map(({ drawn }) => ({ id: drawn.id, isDone: false, isOpen: false })),
  ];
}

export type Shown = {
  readonly reply: StepReply;
  /** Tells what money was shown for exactly these answers; undefined where none is at this step. */
  readonly price: Price | undefined;
};

/** Gives the amounts of money in what a step's quote answered, with a hash of what was asked; undefined without any. */
export function priceOf(
  run: JourneyRun,
  { step }: Pick<OwnStep, 'step'>,
  quoted: Replies,
  walked: Walk,
): Price | undefined {
  const { caller } = run.context;
  const amounts = Object.entries(step.quote ?? {}).flatMap(([name, call]) =>
    moneyIn(contractOfCall(call, caller), quoted[name]?.Result),
  );
  if (amounts.length === 0) return undefined;
  // By what is asked, and not by what else the step asks; without a draft the reference is another for each press.
  const parameters = { ...run.parameters, reference: '' };
  const scope = scopeOf({ ...run, parameters }, walked.data, shownAnswers(walked));
  const asked = boundCalls(step.quote, scope);
  return { of: createHash('sha256').update(JSON.stringify(asked)).digest('base64url'), amounts };
}

export type ShowOptions = {
  readonly draft?: DraftState | undefined;
  /** Said above the step. */
  readonly notice?: string | undefined;
  /** Answers of an earlier visit; see `keeps`. */
  readonly kept?: KeptAnswers | undefined;
};

/**
 * Makes the reply that shows a step of a journey, after fetching what the step needs from the cloud.
 * @throws {Declined} when the cloud refuses what was answered in earlier steps
 */
export async function showStep(
  run: JourneyRun,
  walked: Walk,
  id: string,
  { draft, notice, kept }: ShowOptions = {},
): Promise<Shown> {
  const { journey, node } = run;
  const own = stepsOf(run).find(({ drawn }) => drawn.id === id) as OwnStep;
  const { drawn, step } = own;
  const found = walked.views.find(one => one.id === id);
  const again = found && typedIn(found.fields, kept?.answers[id] ?? {});
  const view = found && { ...found, values: { ...again, ...found.values } };
  const prepared = view?.data ?? walked.data;
  const quoted = await askAll(run.context, step.quote, scopeOf(run, prepared, walked.answers));
  const estimated = view ? await estimateFirst(run, walked, view) : {};
  const data: Replies = { ...prepared, ...quoted, ...estimated };
  const scope = scopeOf(run, data, walked.answers);
  const made = view ?? { ...makeOwnStep(run, own, scope), values: {} };
  const before = walked.views.slice(0, found ? walked.views.indexOf(found) : undefined).filter(one => !one.isHidden);
  const summary = step.summary ? summaryNodes(before) : [];
  const isAgain = Object.keys(again ?? {}).length > 0;
  const notices: Node[] = [
    ...(notice === undefined ? [] : [{ type: 'alert', kind: 'wait', text: notice } as const]),
    ...(isAgain ? keptNotice({ node: run.node, caller: run.context.caller }, kept?.savedAt) : []),
  ];
  const isMade = made.isMade || summary.length > 0 || notices.length > 0;
  const nodes = isMade ? [...notices, ...made.nodes, ...summary] : undefined;
  const texts = [drawn.title, drawn.submit, node.values ?? {}];
  const text = JSON.stringify([nodes ?? drawn.children ?? [], drawn.aside, drawn.bar, ...texts]);
  const title = node.titlePath === undefined ? undefined : readPath(scope, node.titlePath);
  const answers = text.includes('"answers.') ? shownAnswers({ views: before, answers: walked.answers }) : undefined;
  const calls = Object.assign(
    {},
    journey.prepare,
    ...journey.steps.map(({ prepare }) => prepare),
    step.quote,
    step.estimate,
  );
  const shown = shownReplies(run, data, calls, text);
  return {
    reply: {
      step: id,
      ...(typeof title === 'string' && { title }),
      ...(nodes && { nodes }),
      values: valuesOf(made, scope),
      ...(Object.keys(shown).length > 0 && { data: shown }),
      ...(answers && { answers }),
      ...(step.summary && { facts: summaryFacts(before) }),
      steps: statesOf(run, walked),
      ...(draft && { draft }),
    },
    price: priceOf(run, own, quoted, walked),
  };
}

/**
 * Runs the gate of a step: a command that may have to come first, such as signing an agreement. Gives its effects (a
 * popup or another screen); an empty list where the step has no gate or may be shown.
 */
export async function gateOf(run: JourneyRun, { views, answers }: Walk, id: string): Promise<readonly ReplyEffect[]> {
  const { context } = run;
  const view = views.find(found => found.id === id);
  const gate = view?.step.gate;
  const command = gate && commands.get(gate.command);
  if (!gate || !command) return [];
  const { caller } = context;
  if (!decide(caller.version.commands.get(gate.command)?.requires, caller.principal).met)
    throw notPermitted(caller, gate.command);
  const scope = scopeOf(run, view.data, answers);
  const { envelope } = await command.run({ ...context, with: bindAll(gate.with, scope), body: {} });
  return envelope.effects ?? [];
}

/**
 * Runs the gates (see `gateOf`) of the steps up to and including `to`, or of all steps, and gives the effects of the
 * first that has any; an empty list when none holds the user up.
 */
export async function gatesOf(run: JourneyRun, walked: Walk, to?: string): Promise<readonly ReplyEffect[]> {
  const end = walked.views.findIndex(({ id }) => id === to);
  for (const { id, isHidden } of end === -1 ? walked.views : walked.views.slice(0, end + 1)) {
    const effects = isHidden ? [] : await gateOf(run, walked, id);
    if (effects.length > 0) return effects;
  }
  return [];
}

/**
 * Gives the effects at a journey's end (`done`) as sent to the browser: texts in the caller's words, addresses filled
 * in.
 */
export function doneEffects({ node, context }: JourneyRun, scope: Scope): ReplyEffect[] {
  const { facts } = context.caller.principal;
  const format = formatContextOf(context.caller.principal);
  return (node.done ?? []).flatMap((effect: Effect): ReplyEffect[] => {
    switch (effect.do) {
      case 'toast': {
        const { text, values, undo: _, ...rest } = effect;
        return [
          {
            ...rest,
            text: resolveText(text, values, scope, facts.locale, (value, name) => formatValue(value, name, format)),
          },
        ];
      }
      case 'navigate': {
        const to = fillAddress(effect.to, scope);
        return to === undefined ? [] : [{ ...effect, to }];
      }
      case 'open-popup': {
        const given = Object.entries(bindAll(effect.with as Bindings | undefined, scope));
        return [
          { ...effect, with: Object.fromEntries(given.map(([name, value]) => [name, { value }])) } as ReplyEffect,
        ];
      }
      case 'close-popup':
      case 'publish':
        return [effect];
      default:
        return [];
    }
  });
}

/**
 * Makes the message that names answers dropped because no field asks for them any more; undefined when there are none.
 */
export function sayDropped({ node }: JourneyRun, labels: Readonly<Record<string, string>>, { dropped }: Walk) {
  const names = dropped.flatMap(name => (labels[name] === undefined ? [] : [labels[name]]));
  return names.length === 0 || !node.draft?.dropped
    ? undefined
    : interpolate(node.draft.dropped, { fields: [...new Set(names)].join(', ') });
}

/** Gives the caller's ordinary steps of a journey, in order; see `isOnTheWay`. */
export const wayOf = (run: JourneyRun): OwnStep[] => stepsOf(run).filter(isOnTheWay);

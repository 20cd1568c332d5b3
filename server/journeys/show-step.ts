import { createHash } from 'node:crypto';
import type { Envelope, ReplyEffect } from '../../shared/contract/envelope.ts';
import type { DraftState, StepReply, StepState } from '../../shared/contract/steps.ts';
import type { Bindings, Effect, JourneyCall, Node } from '../../shared/language/types.ts';
import { formatValue } from '../../shared/rules/format.ts';
import { bind, bindAll, fillAddress, readPath, type Scope } from '../../shared/rules/path.ts';
import { interpolate, resolveText } from '../../shared/rules/text.ts';
import { decide } from '../access/requirement.ts';
import { commands } from '../commands/index.ts';
import { stepStates } from '../commands/wizard/step-order.ts';
import { notPermitted } from '../operations/not-permitted.ts';
import { contractOfCall, mayCall, moneyIn, runCall } from './journey-call.ts';
import {
  type AnswersByStep,
  isOnTheWay,
  isSecret,
  type JourneyRun,
  makeOwnStep,
  type OwnStep,
  type StepView,
  scopeOf,
  stepsOf,
  type Values,
  type Walk,
} from './journey-steps.ts';
import { summaryFacts, summaryNodes } from './summary.ts';
import { fillTemplate } from './template.ts';

/** What calls brought back, by their names in the journey. */
export type Replies = Readonly<Record<string, Envelope>>;
type Calls = Readonly<Record<string, JourneyCall>>;

/** Makes calls side by side; those that the caller may not make are left out. */
export async function askAll(run: JourneyRun, calls: Calls | undefined, scope: Scope): Promise<Replies> {
  const { context } = run;
  const there = Object.entries(calls ?? {}).filter(([, call]) => mayCall(call, context.caller));
  const replies = await Promise.all(
    there.map(async ([name, call]) => [name, await runCall(context, call, scope)] as const),
  );
  return Object.fromEntries(replies);
}

export const prepare = (run: JourneyRun): Promise<Replies> => askAll(run, run.journey.prepare, scopeOf(run, {}, {}));

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

/** The answers but for those that are never kept. */
function shownAnswers(views: readonly StepView[], answers: AnswersByStep): AnswersByStep {
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

/** The states of all steps but the question whether to go on; where nothing is kept one goes back step by step. */
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
export type Price = { readonly of: string; readonly amounts: readonly unknown[] };

/** The money that a step shows by what it asked, with what it was asked for. */
export function priceOf(
  run: JourneyRun,
  { step }: Pick<OwnStep, 'step'>,
  quoted: Replies,
  prepared: Replies,
  walked: Walk,
): Price | undefined {
  const { caller } = run.context;
  const amounts = Object.entries(step.quote ?? {}).flatMap(([name, call]) =>
    moneyIn(contractOfCall(call, caller), quoted[name]?.Result),
  );
  if (amounts.length === 0) return undefined;
  // By what is asked, and not by what else the step asks; without a draft the reference is another for each press.
  const parameters = { ...run.parameters, reference: '' };
  const scope = scopeOf({ ...run, parameters }, prepared, shownAnswers(walked.views, walked.answers));
  const asked = Object.values(step.quote ?? {}).map(call => [
    bindAll(call.with, scope),
    fillTemplate(call.body, scope),
  ]);
  return { of: createHash('sha256').update(JSON.stringify(asked)).digest('base64url'), amounts };
}

export type ShowOptions = {
  readonly draft?: DraftState | undefined;
  /** Said above the step. */
  readonly notice?: string | undefined;
};

/**
 * Makes the reply that shows a step, with what is asked for it.
 * @throws {Declined} when the cloud refuses what was answered before
 */
export async function showStep(
  run: JourneyRun,
  walked: Walk,
  prepared: Replies,
  id: string,
  { draft, notice }: ShowOptions = {},
): Promise<Shown> {
  const { journey, node } = run;
  const own = stepsOf(run).find(({ drawn }) => drawn.id === id) as OwnStep;
  const { drawn, step } = own;
  const view = walked.views.find(found => found.id === id);
  const quoted = await askAll(run, step.quote, scopeOf(run, prepared, walked.answers));
  const data: Replies = { ...prepared, ...quoted };
  const scope = scopeOf(run, data, walked.answers);
  const made = view ?? { ...makeOwnStep(run, own, scope), values: {} };
  const before = walked.views.slice(0, view ? walked.views.indexOf(view) : undefined).filter(one => !one.isHidden);
  const summary = step.summary ? summaryNodes(before) : [];
  const notices: Node[] = notice === undefined ? [] : [{ type: 'alert', kind: 'wait', text: notice }];
  const isMade = made.isMade || summary.length > 0 || notices.length > 0;
  const nodes = isMade ? [...notices, ...made.nodes, ...summary] : undefined;
  const text = JSON.stringify([nodes ?? drawn.children ?? [], drawn.title, drawn.submit, node.values ?? {}]);
  const title = node.titlePath === undefined ? undefined : readPath(scope, node.titlePath);
  const answers = text.includes('"answers.') ? shownAnswers(before, walked.answers) : undefined;
  const shown = shownReplies(run, data, { ...journey.prepare, ...step.quote }, text);
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
    price: priceOf(run, own, quoted, prepared, walked),
  };
}

/** Gives the effects of what comes before a step; none where it may be shown, and left. */
export async function gateOf(run: JourneyRun, id: string, scope: Scope): Promise<readonly ReplyEffect[]> {
  const { context } = run;
  const gate = stepsOf(run).find(({ drawn }) => drawn.id === id)?.step.gate;
  const command = gate && commands.get(gate.command);
  if (!gate || !command) return [];
  const { caller } = context;
  if (!decide(caller.version.commands.get(gate.command)?.requires, caller.principal).met)
    throw notPermitted(caller, gate.command);
  const { envelope } = await command.run({ ...context, with: bindAll(gate.with, scope), body: {} });
  return envelope.effects ?? [];
}

/** The effects of the first gate that has any, of the steps that are there. */
export async function gatesOf(
  run: JourneyRun,
  views: readonly StepView[],
  scope: Scope,
): Promise<readonly ReplyEffect[]> {
  for (const { id, isHidden } of views) {
    const effects = isHidden ? [] : await gateOf(run, id, scope);
    if (effects.length > 0) return effects;
  }
  return [];
}

/** The effects at the end as the server says them: texts resolved, addresses filled. */
export function doneEffects({ node, context }: JourneyRun, scope: Scope): ReplyEffect[] {
  const { facts } = context.caller.principal;
  return (node.done ?? []).flatMap((effect: Effect): ReplyEffect[] => {
    switch (effect.do) {
      case 'toast': {
        const { text, values, undo: _, ...rest } = effect;
        return [
          {
            ...rest,
            text: resolveText(text, values, scope, facts.locale, (value, format) => formatValue(value, format, facts)),
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

/** What is said of answers that no field asks any more; nothing without such. */
export function sayDropped({ node }: JourneyRun, labels: Readonly<Record<string, string>>, { dropped }: Walk) {
  const names = dropped.flatMap(name => (labels[name] === undefined ? [] : [labels[name]]));
  return names.length === 0 || !node.draft?.dropped
    ? undefined
    : interpolate(node.draft.dropped, { fields: [...new Set(names)].join(', ') });
}

export const wayOf = (run: JourneyRun): OwnStep[] => stepsOf(run).filter(isOnTheWay);

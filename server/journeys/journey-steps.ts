import type { Envelope } from '../../shared/contract/envelope.ts';
import type { FieldNode, Journey, JourneyStep, LayoutText, StepsNode } from '../../shared/language/types.ts';
import { convertDynamicForm } from '../../shared/models/convert-dynamic-form.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { fieldsIn } from '../../shared/rules/fields.ts';
import { formatValue } from '../../shared/rules/format.ts';
import { readPath, type Scope } from '../../shared/rules/path.ts';
import { interpolate } from '../../shared/rules/text.ts';
import { normaliseValue } from '../../shared/rules/validation.ts';
import { formatContextOf } from '../access/format-context.ts';
import type { CommandContext } from '../commands/command.ts';
import { checkDeliveredForm } from '../commands/delivered/delivered-model.ts';
import { PortalError } from '../errors.ts';
import { checkBody } from '../operations/check-body.ts';
import { askAll, boundCalls } from './journey-call.ts';
import { isMadeAtRunTime, type MadeStep, makeStep, readAnswers, shownAt } from './made-nodes.ts';

export type Values = Readonly<Record<string, unknown>>;
/** What was typed, by step. */
export type AnswersByStep = Readonly<Record<string, Values>>;

/** What calls brought back, by their names in the journey. */
export type Replies = Readonly<Record<string, Envelope>>;

/** One run of a journey for a caller. */
export type JourneyRun = {
  readonly context: CommandContext;
  readonly journey: Journey;
  /** Tells one version of its document from another. */
  readonly hash: string;
  /** What the caller has of it. */
  readonly node: StepsNode;
  readonly parameters: Values;
  /** What was prepared for single steps in this run, by what was asked for it. */
  readonly preparedSteps: Map<string, Promise<Replies>>;
};

/** Amounts of money that were shown, with a hash of what they were asked for. */
export type Price = { readonly of: string; readonly amounts: readonly unknown[] };

/** A step that the caller has, with what the browser does not know of it. */
export type OwnStep = { readonly drawn: StepsNode['steps'][number]; readonly step: JourneyStep };

/** A step by what was answered so far. */
export type StepView = OwnStep &
  MadeStep & {
    readonly id: string;
    /** True where its nodes differ from those of the layout. */
    readonly isMade: boolean;
    readonly isHidden: boolean;
    readonly isDone: boolean;
    /** As it was typed. */
    readonly values: Values;
    /** What is prepared by the time it is shown. */
    readonly data: Replies;
    /** Why it is not done. */
    readonly error?: PortalError;
  };

/** Gives the steps of a journey whose requirements the caller meets. */
export const stepsOf = ({ journey, node }: JourneyRun): OwnStep[] =>
  node.steps.flatMap(drawn => {
    const step = journey.steps.find(({ id }) => id === drawn.id);
    return step ? [{ drawn, step }] : [];
  });

/**
 * True for an ordinary step of a journey: neither the first question whether to resume a draft nor the closing page.
 */
export const isOnTheWay = ({ step }: OwnStep): boolean => !step.resume && !step.last;

/** Makes the scope in which a journey's paths are read: parameters, fetched data, answers, and facts of the caller. */
export function scopeOf(
  { context, parameters }: Pick<JourneyRun, 'context' | 'parameters'>,
  data: Values,
  answers: AnswersByStep,
): Scope {
  return { journey: parameters, data, answers, principal: context.caller.principal.facts };
}

/** Picks from a body the values of these fields, valid or not, as a draft stores them. */
export function typedIn(fields: readonly FieldNode[], body: Values): Values {
  return Object.fromEntries(
    fields
      .filter(field => Object.hasOwn(body, field.propertyName))
      .map(field => [field.propertyName, normaliseValue(field, body[field.propertyName])] as const)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  );
}

/** True for a step whose fields are known only with data that the journey fetches before it. */
export const needsData = ({ drawn, step }: OwnStep): boolean =>
  step.delivered !== undefined || isMadeAtRunTime(drawn.children);

/** Makes a step's nodes and fields with the data that was fetched for it. */
export function makeOwnStep(
  { context }: Pick<JourneyRun, 'context'>,
  { drawn, step }: OwnStep,
  scope: Scope,
): MadeStep & { isMade: boolean } {
  const format = formatContextOf(context.caller.principal);
  const isMade = needsData({ drawn, step });
  const made = makeStep(drawn.children ?? [], scope, (value, name) => formatValue(value, name, format));
  if (step.delivered === undefined) return { ...made, isMade };
  const taken = new Set(made.fields.map(({ propertyName }) => propertyName));
  // A field of the cloud never takes the place of one of the step.
  const delivered = deliveredFields(context, readPath(scope, step.delivered)).filter(
    ({ propertyName }) => !taken.has(propertyName),
  );
  const names = delivered.map(({ propertyName }) => propertyName);
  const { deliveredAs: name } = step;
  return {
    nodes: [...made.nodes, ...delivered],
    fields: [...made.fields, ...delivered],
    groups: [...made.groups, ...(name === undefined ? [] : [{ kind: 'fields' as const, name, names }])],
    isMade,
  };
}

/** The fields of a form of the cloud, or those that a command has made. */
function deliveredFields({ caller }: CommandContext, model: unknown): readonly FieldNode[] {
  if (model === undefined || model === null) return [];
  if (Array.isArray(model)) return fieldsIn(model);
  return convertDynamicForm(checkDeliveredForm(model), caller.access.serverText('field.mandatory'));
}

/**
 * Validates what was typed in a step, field by field and as a whole; gives the values to go on with, or throws
 * FIELDS_INVALID.
 */
export function checkFields(
  { drawn, ...made }: MadeStep & Pick<OwnStep, 'drawn'>,
  typed: Values,
  scope: Scope,
  { caller }: CommandContext,
): Values {
  const values = checkBody(made.fields, typed, caller);
  const form = { ...values, ...readAnswers(made, values) };
  for (const { when, field, text } of drawn.refuse ?? []) {
    if (!isMet(when, { ...scope, form })) continue;
    const said = interpolate(text as LayoutText, {}, caller.principal.facts.locale);
    throw new PortalError('FIELDS_INVALID', { errors: { [shownAt(made, field)]: [said] } });
  }
  return values;
}

export type Walk = {
  readonly views: readonly StepView[];
  /** The answers of the steps that are there, as bodies and conditions read them. */
  readonly answers: AnswersByStep;
  /** Names of answers that no field asks any more, as `<step>.<field>`. */
  readonly dropped: readonly string[];
  /** What is prepared by the last step that is reached. */
  readonly data: Replies;
};

/** Prepares a step; what was asked before in this run is not asked again. */
function prepareStep(run: JourneyRun, { step }: OwnStep, scope: Scope): Promise<Replies> {
  const key = JSON.stringify([step.id, boundCalls(step.prepare, scope)]);
  const asked = run.preparedSteps.get(key) ?? askAll(run.context, step.prepare, scope);
  run.preparedSteps.set(key, asked);
  return asked;
}

/**
 * Goes through a journey's steps in order and says of each whether it is hidden and whether it is done, by the answers
 * before it. Answers of hidden steps, and those that no field of the caller asks, are dropped. A step's data is fetched
 * once all steps before it are done.
 */
export async function walk(run: JourneyRun, prepared: Replies, typed: AnswersByStep): Promise<Walk> {
  const answers: Record<string, Values> = {};
  const steps = stepsOf(run).filter(isOnTheWay);
  const dropped = Object.keys(typed).flatMap(id =>
    steps.some(({ drawn }) => drawn.id === id) ? [] : Object.keys(typed[id] ?? {}).map(name => `${id}.${name}`),
  );
  const views: StepView[] = [];
  let data = prepared;
  let isReached = true;
  for (const own of steps) {
    const { id } = own.drawn;
    const isHidden = !isMet(own.step.when, scopeOf(run, data, answers));
    if (isReached && !isHidden && own.step.prepare)
      data = { ...data, ...(await prepareStep(run, own, scopeOf(run, data, answers))) };
    const scope = scopeOf(run, data, answers);
    const made = makeOwnStep(run, own, scope);
    const all = typed[id] ?? {};
    const values = typedIn(made.fields, all);
    // What a step asks that is not reached is not known yet.
    if (isReached || !own.step.prepare)
      dropped.push(...Object.keys(all).flatMap(name => (Object.hasOwn(values, name) ? [] : [`${id}.${name}`])));
    let error: PortalError | undefined;
    try {
      if (!isHidden) checkFields({ ...made, drawn: own.drawn }, values, scope, run.context);
    } catch (caught) {
      if (!(caught instanceof PortalError) || caught.code !== 'FIELDS_INVALID') throw caught;
      error = caught;
    }
    if (!isHidden) answers[id] = readAnswers(made, values);
    const isAnswered = typed[id] !== undefined && !error;
    const isDone = isAnswered && !own.step.summary;
    views.push({ ...own, ...made, id, isHidden, isDone, values, data, ...(error && { error }) });
    isReached &&= isHidden || isAnswered;
  }
  return { views, answers, dropped, data };
}

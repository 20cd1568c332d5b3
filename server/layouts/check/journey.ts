import { rulesOf } from '../../../shared/language/nodes.ts';
import type { Condition, Journey, JourneyCall, JourneyStep } from '../../../shared/language/types.ts';
import { comparisonNames } from '../../../shared/rules/condition.ts';
import { fieldsIn, isSecret } from '../../../shared/rules/fields.ts';
import type { CommandDeclaration } from '../names/command-declaration.ts';
import type { Json } from '../names/json.ts';
import { listOf, type Problem, suggest } from '../names/problem.ts';
import {
  type Answer,
  formOf,
  type JourneyNames,
  type Names,
  type NamesInScope,
  type PathTarget,
  replyOfCommand,
  replyOfOperation,
  resolvePath,
} from '../names/scope.ts';
import type { LongDocument, Pointer } from '../names/source.ts';
import { callsOfJourney, journeyOf, keepCommand, leadCommand } from '../resolve/journeys.ts';
import { neededParameters } from './call.ts';
import { wrongComparisons } from './comparisons.ts';

type Known = Omit<Names, 'journeys'>;

/** Effects that the server can say once all is placed. */
const sayable = ['toast', 'navigate', 'open-popup', 'close-popup', 'publish'];
const deliveredKinds: readonly string[] = ['model:form', 'model:nodes'];

/** Groups of fields of which the answer is a list: rows that one adds, and items that are offered. */
function groupsIn(nodes: unknown): { readonly name: string; readonly children: unknown; readonly key?: string }[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap(node => {
    const { form, offers } = rulesOf(String(node?.type));
    const name = form === 'rows' ? node.propertyName : offers === undefined ? undefined : node[offers];
    if (typeof name === 'string') return [{ name, children: node.children, key: node.key }];
    return groupsIn(node?.children);
  });
}

/** What a step answers, by the names that paths read: fields that stand alone, and lists. */
function answersOf({ children, deliveredAs }: JourneyStep): ReadonlyMap<string, Answer> {
  const groups = groupsIn(children);
  const namesIn = (nodes: unknown) => fieldsIn(nodes).map(({ propertyName }) => propertyName);
  const inGroups = new Set(groups.flatMap(group => namesIn(group.children)));
  const alone = fieldsIn(children).filter(({ propertyName }) => !inGroups.has(propertyName));
  return new Map<string, Answer>([
    ...alone.map(field => [field.propertyName, { field }] as const),
    ...groups.map(({ name, children: fields, key }) => {
      const rows = new Set([...namesIn(fields), ...(key === undefined ? [] : [key])]);
      return [name, { rows }] as const;
    }),
    ...(deliveredAs === undefined ? [] : [[deliveredAs, {}] as const]),
  ]);
}

const replyOf = ({ operation, command }: JourneyCall, names: Known): PathTarget =>
  operation !== undefined ? replyOfOperation(operation, names) : replyOfCommand(command ?? '', names);

const repliesOf = (calls: Readonly<Record<string, JourneyCall>> | undefined, names: Known) =>
  new Map(Object.entries(calls ?? {}).map(([name, call]) => [name, replyOf(call, names)]));

/** Whether a step has answers of names that the cloud gives at run time. */
const isOpen = ({ delivered, deliveredAs }: JourneyStep): boolean =>
  delivered !== undefined && deliveredAs === undefined;

/** Collects, by journey, the names that paths in it may read. */
export function namesOfJourneys(sources: readonly LongDocument[], names: Known): ReadonlyMap<string, JourneyNames> {
  return new Map(
    sources.map(source => {
      const journey = journeyOf(source);
      let prepared = repliesOf(journey.prepare, names);
      const steps = journey.steps.map(step => {
        const answers = answersOf(step);
        prepared = new Map([...prepared, ...repliesOf(step.prepare, names)]);
        // What the cloud names at run time is known to nobody here.
        const all = isOpen(step) ? Object.assign(new Map(answers), { has: () => true }) : answers;
        return [
          step.id,
          { answers: all, prepared, quoted: repliesOf({ ...step.quote, ...step.estimate }, names) },
        ] as const;
      });
      return [
        journey.id,
        {
          declared: journey.parameters ?? [],
          parameters: new Set([...(journey.parameters ?? []), 'reference']),
          prepared: repliesOf(journey.prepare, names),
          steps: new Map(steps),
          placed: replyOf(journey.place, names),
        },
      ];
    }),
  );
}

type Check = {
  readonly source: LongDocument;
  readonly names: Names;
  readonly report: (at: Pointer, message: string) => void;
  /** Answers that something reads, as `<step>.<field>`. */
  readonly read: Set<string>;
};

/**
 * Checks the parts of a journey that only the server uses: calls, bodies, refusals and gates, and how its steps fit.
 */
export function checkJourney(source: LongDocument, names: Names, commands: readonly CommandDeclaration[]): Problem[] {
  const problems: Problem[] = [];
  const report = (at: Pointer, message: string) => void problems.push(source.problem(at, message));
  const journey = journeyOf(source);
  const own = names.journeys.get(journey.id);
  if (!own) return problems;
  const check: Check = { source, names, report, read: new Set() };
  const base: NamesInScope = { sources: own.prepared, states: new Set(), routes: new Set(), journey: own };
  for (const name of [leadCommand(journey.id), keepCommand(journey.id)])
    if (commands.some(command => command.name === name)) report(['id'], `The command "${name}" is there already.`);
  for (const { call, at } of callsOfJourney(journey)) {
    checkCall(call, at, scopeOfCall(journey, own, base, at), check);
  }
  for (const [parameter] of Object.entries(journey.own ?? {}))
    if (!own.parameters.has(parameter)) report(['own', parameter], `"${parameter}" is not a parameter.`);
  for (const [name, value] of Object.entries(journey.place.record ?? {}))
    checkPath(value, ['place', 'record', name], { ...base, reply: own.placed }, check);
  for (const [name, value] of Object.entries(journey.keeps?.of ?? {}))
    checkPath(value, ['keeps', 'of', name], base, check);
  journey.steps.forEach((step, index) => {
    const prepared = own.steps.get(step.id)?.prepared ?? own.prepared;
    checkCondition(step.when, ['steps', index, 'when'], scopeBefore(journey, own, base, index), check);
    checkStep(step, index, { ...base, sources: prepared }, check);
  });
  checkDone(journey, check);
  checkDraft(journey, own, check);
  checkAnswersAreRead(journey, check);
  return problems;
}

/** What is prepared before a step, and what is answered there. */
function scopeBefore({ steps }: Journey, own: JourneyNames, base: NamesInScope, index: number): NamesInScope {
  const before = steps[index - 1];
  return {
    ...base,
    sources: (before && own.steps.get(before.id)?.prepared) ?? own.prepared,
    journey: { ...own, later: new Set(steps.slice(index).map(({ id }) => id)) },
  };
}

/** What the parameters and the body of a call may read: what was asked before it. */
function scopeOfCall(journey: Journey, own: JourneyNames, base: NamesInScope, at: Pointer): NamesInScope {
  const [kind, index, what] = at;
  if (kind === 'prepare') return { ...base, sources: new Map(), journey: { ...own, steps: new Map() } };
  if (kind === 'steps' && what === 'prepare') return scopeBefore(journey, own, base, Number(index));
  const step = kind === 'steps' ? journey.steps[Number(index)] : journey.steps.findLast(({ last }) => !last);
  const { prepared = own.prepared, quoted = [] } = own.steps.get(step?.id ?? '') ?? {};
  return { ...base, sources: new Map([...prepared, ...(kind === 'place' ? quoted : [])]) };
}

function checkPath(path: unknown, at: Pointer, scope: NamesInScope, { report, read }: Check): PathTarget | undefined {
  if (typeof path !== 'string') return undefined;
  const target = resolvePath(path, scope);
  const [root, step, field = ''] = path.split('.');
  if (root === 'answers') read.add(`${step}.${field}`);
  if (!('wrong' in target)) return target;
  report(at, `${target.wrong}${suggest(target.found, target.candidates)}`);
  return undefined;
}

function checkCall(call: JourneyCall, at: Pointer, scope: NamesInScope, check: Check): void {
  const { report, names } = check;
  const { operation: name, command } = call;
  if ((name === undefined) === (command === undefined))
    return void report(at, 'A call has either "operation" or "command".');
  const operation = name === undefined ? undefined : names.operations.get(name);
  if (name !== undefined && !operation)
    report([...at, 'operation'], `Operation "${name}" not found.${suggest(name, names.operations.keys())}`);
  if (command !== undefined) checkCommandName(command, [...at, 'command'], check);
  const known = operation ? Object.keys(operation.with ?? {}) : (names.commands.get(command ?? '')?.parameters ?? []);
  const given = Object.keys(call.with ?? {});
  if (operation || command !== undefined) checkParameterNames(String(name ?? command), given, known, at, check);
  for (const parameter of operation ? neededParameters(operation) : [])
    if (!given.includes(parameter) && !Object.hasOwn(operation?.own ?? {}, parameter))
      report(at, `"${name}" needs the parameter "${parameter}".`);
  for (const [parameter, value] of Object.entries(call.with ?? {}))
    checkPath(pathIn(value), [...at, 'with', parameter], scope, check);
  if (operation?.method === 'GET' && call.body !== undefined) report([...at, 'body'], 'A GET has no body.');
  if (operation?.method !== 'GET' && operation && at[0] !== 'place' && operation.audit !== false)
    report(at, `"${name}" changes something: only what changes nothing ("audit": false) is asked before the end.`);
  if (operation?.upload) report([...at, 'operation'], 'A journey sends no files.');
  if (operation?.body !== undefined) checkForm(call, operation.body, at, check);
  const { of } = (call.body ?? {}) as { readonly of?: unknown };
  if (typeof of === 'string') report([...at, 'body', 'of'], `No call that is asked before is "${of}", with a body.`);
  else if (call.body !== undefined) checkTemplate(call.body, [...at, 'body'], scope, check);
}

function checkParameterNames(
  of: string,
  given: readonly string[],
  known: readonly string[],
  at: Pointer,
  { report }: Check,
): void {
  for (const name of given)
    if (!known.includes(name))
      report([...at, 'with', name], `"${of}" has no parameter "${name}".${suggest(name, known)}`);
}

/** An operation that declares the form of its body takes nothing else. */
function checkForm({ body }: JourneyCall, form: string, at: Pointer, { report, names }: Check): void {
  const { names: fields = [], needed = [] } = names.forms.get(form) ?? {};
  const given = Object.keys((body ?? {}) as object);
  for (const name of given)
    if (!fields.includes(name))
      report([...at, 'body', name], `The form "${form}" has no field "${name}".${suggest(name, fields)}`);
  const missing = needed.filter(name => !given.includes(name));
  if (missing.length > 0) report([...at, 'body'], `The form "${form}" needs ${listOf(missing)}.`);
}

const pathIn = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && 'path' in value ? value.path : value;

function checkCommandName(name: string, at: Pointer, { report, names }: Check): void {
  if (!names.commands.has(name)) report(at, `Command "${name}" not found.${suggest(name, names.commands.keys())}`);
}

/** Checks the paths of a template. */
function checkTemplate(template: unknown, at: Pointer, scope: NamesInScope, check: Check): void {
  if (typeof template === 'string') return void checkPath(template, at, scope, check);
  if (Array.isArray(template)) return void check.report(at, 'A list is made with "rows" and "each".');
  if (template === null || typeof template !== 'object') return;
  const json = template as Json;
  if (Object.hasOwn(json, 'value')) return;
  if (Object.hasOwn(json, 'path')) return void checkPath(json.path, [...at, 'path'], scope, check);
  if (Object.hasOwn(json, 'rows')) {
    const row = checkPath(json.rows, [...at, 'rows'], scope, check);
    if (json.each === undefined) check.report(at, '"rows" needs "each": what is made of each row.');
    checkTemplate(json.each, [...at, 'each'], { ...scope, row: row ?? { in: 'page' } }, check);
    return;
  }
  if (Object.hasOwn(json, 'when')) {
    checkCondition(json.when as Condition, [...at, 'when'], scope, check);
    checkTemplate(json.use, [...at, 'use'], scope, check);
    checkTemplate(json.else, [...at, 'else'], scope, check);
    return;
  }
  for (const [name, item] of Object.entries(json)) checkTemplate(item, [...at, name], scope, check);
}

function checkCondition(condition: Condition | undefined, at: Pointer, scope: NamesInScope, check: Check): void {
  if (!condition || typeof condition !== 'object') return;
  checkPath(condition.path, [...at, 'path'], scope, check);
  for (const name of comparisonNames) checkPath(condition[name], [...at, name], scope, check);
  for (const { name, wrong } of wrongComparisons(condition, { scope, names: check.names }))
    check.report([...at, name], wrong);
  checkCondition(condition.not, [...at, 'not'], scope, check);
  for (const key of ['all', 'any'] as const)
    condition[key]?.forEach((part, index) => {
      checkCondition(part, [...at, key, index], scope, check);
    });
}

function checkStep(step: JourneyStep, index: number, base: NamesInScope, check: Check): void {
  const { report, names } = check;
  const at = ['steps', index];
  const own = names.journeys.get(journeyOf(check.source).id)?.steps.get(step.id);
  (step.refuse ?? []).forEach(({ field }, place) => {
    if (!own?.answers.has(field))
      report(
        [...at, 'refuse', place, 'field'],
        `The step asks no "${field}".${suggest(field, own?.answers.keys() ?? [])}`,
      );
  });
  if (step.gate) {
    const { command } = step.gate;
    checkCommandName(command, [...at, 'gate', 'command'], check);
    const known = names.commands.get(command)?.parameters;
    if (known) checkParameterNames(command, Object.keys(step.gate.with ?? {}), known, [...at, 'gate'], check);
    for (const [name, value] of Object.entries(step.gate.with ?? {}))
      checkPath(pathIn(value), [...at, 'gate', 'with', name], base, check);
  }
  if (step.delivered !== undefined) {
    const target = checkPath(step.delivered, [...at, 'delivered'], base, check);
    const contract = target && target.in !== 'page' ? target.field?.contract : undefined;
    if (target && (contract?.type !== 'model' || !deliveredKinds.includes(contract.kind)))
      report([...at, 'delivered'], 'Fields are delivered by a "model:form", or by the "model:nodes" of a command.');
  } else if (step.deliveredAs !== undefined) report([...at, 'deliveredAs'], 'Without "delivered" there are none.');
  for (const name of own?.quoted.keys() ?? []) {
    if (own?.prepared.has(name)) report([...at, 'quote', name], `"${name}" is prepared already.`);
    const made = fieldsIn(step.children).find(({ from }) => JSON.stringify(from ?? '').includes(`"data.${name}.`));
    if (made)
      report([...at, 'quote', name], `The field "${made.propertyName}" reads it, and is needed before: prepare it.`);
  }
  // What a condition or text inside the step reads of other answers counts as read.
  for (const [, path] of JSON.stringify(step.children ?? []).matchAll(/"(answers\.[\w.-]+)"/g))
    check.read.add(String(path).split('.').slice(1, 3).join('.'));
}

function checkDone({ done = [] }: Journey, { report }: Check): void {
  done.forEach((effect, index) => {
    if (!sayable.includes(effect.do))
      report(['done', index, 'do'], `What happens at the end is ${listOf(sayable)}, not "${effect.do}".`);
  });
}

function checkDraft({ steps, draft, keeps, place }: Journey, { parameters }: JourneyNames, { report }: Check): void {
  if (draft && !parameters.has(draft.for))
    report(['draft', 'for'], `This journey has no parameter "${draft.for}".${suggest(draft.for, parameters)}`);
  const resumes = steps.findIndex(({ resume }) => resume);
  if (draft && resumes === -1) report(['draft'], 'A journey with a draft has a step with "resume": true.');
  if (draft && keeps) report(['keeps'], 'A draft keeps what is typed already.');
  if (!draft && resumes >= 0) report(['steps', resumes, 'resume'], 'Without "draft" there is nothing to go on with.');
  const before = steps.findLastIndex(({ last }) => !last);
  const seen = new Map<string, string>();
  steps.forEach((step, index) => {
    if (steps.some(({ id }, other) => id === step.id && other < index))
      report(['steps', index, 'id'], `Two steps are called "${step.id}".`);
    for (const name of answersOf(step).keys()) {
      const other = seen.get(name);
      if (!draft && other !== undefined && other !== step.id)
        report(['steps', index], `The step "${other}" asks "${name}" as well; without "draft" each name stands once.`);
      seen.set(name, step.id);
    }
    for (const field of fieldsIn(step.children))
      if (isSecret(field) && index !== before)
        report(
          ['steps', index],
          `"${field.propertyName}" is never kept: it stands in the last step before it is placed.`,
        );
  });
  for (const name of place.proves ?? []) if (!seen.has(name)) report(['place', 'proves'], `No step asks "${name}".`);
}

/** What is asked and goes nowhere would be lost without a word. */
function checkAnswersAreRead({ steps }: Journey, { report, read, names, source }: Check): void {
  steps.forEach((step, index) => {
    if (step.resume || isOpen(step) || read.has(`${step.id}.`)) return;
    const answers = names.journeys.get(journeyOf(source).id)?.steps.get(step.id)?.answers.keys() ?? [];
    const shownOnly = formOf(fieldsIn(step.children)).shownOnly;
    const lost = [...answers].filter(name => !read.has(`${step.id}.${name}`) && !shownOnly.has(name));
    if (lost.length > 0)
      report(
        ['steps', index],
        `What is answered here goes nowhere: ${listOf(lost)}. Name it in a body, as "answers.${step.id}.${lost[0]}", or ask it no more.`,
      );
  });
}

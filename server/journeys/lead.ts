import type { ReplyEffect } from '../../shared/contract/envelope.ts';
import { estimateName, stepName, toName, versionName } from '../../shared/contract/steps.ts';
import type { CommandReply } from '../commands/command.ts';
import { boundStep, nextStep, stepStates } from '../commands/wizard/step-order.ts';
import { stepReply, waitingReply } from '../commands/wizard/step-reply.ts';
import { PortalError } from '../errors.ts';
import { Declined } from '../operations/cloud-refusal.ts';
import { textOf } from '../operations/text-of.ts';
import { runCall } from './journey-call.ts';
import {
  type DraftContent,
  draftState,
  findDraft,
  findKeptAnswers,
  type KeptDraft,
  keepAnswers,
  keepDraft,
  keyOfDraft,
  newContent,
  withAnswers,
} from './journey-draft.ts';
import {
  type AnswersByStep,
  checkFields,
  type JourneyRun,
  makeOwnStep,
  needsData,
  type Replies,
  type StepView,
  scopeOf,
  stepsOf,
  typedIn,
  type Values,
  type Walk,
  walk,
} from './journey-steps.ts';
import { inOrder } from './made-nodes.ts';
import { place, showAndNote } from './place.ts';
import { doneEffects, estimate, gateOf, gatesOf, prepare, sayDropped, wayOf } from './show-step.ts';

const withEffects = (reply: CommandReply, effects: readonly ReplyEffect[]): CommandReply =>
  effects.length === 0 ? reply : { ...reply, envelope: { ...reply.envelope, effects } };

const firstOf = (run: JourneyRun, { views }: Walk): string =>
  (views.find(({ isHidden }) => !isHidden) ?? wayOf(run)[0])?.drawn?.id ?? '';

/** Finds a step that the caller has and that is not left out. Throws NOT_FOUND. */
function viewOf({ views }: Walk, id: string): StepView {
  const view = views.find(found => found.id === id && !found.isHidden);
  if (!view) throw new PortalError('NOT_FOUND');
  return view;
}

/** What was typed, without the names that are the wizard's own. */
function typedOf({ [stepName]: _, [toName]: __, [versionName]: ___, [estimateName]: ____, ...typed }: Values): Values {
  return typed;
}

/** Leads a journey whose answers travel with the browser: each step is judged with all before it. */
async function leadWithout(run: JourneyRun, asked: string): Promise<CommandReply> {
  const prepared = await prepare(run);
  const typed = typedOf(run.context.body);
  const own = stepsOf(run).find(({ drawn }) => drawn.id === asked);
  if (asked !== '' && !own) throw new PortalError('NOT_FOUND');
  if (own?.step.last) return { envelope: { Succeed: true, effects: doneEffects(run, scopeOf(run, prepared, {})) } };
  const answers = await answersUpTo(run, prepared, typed, asked);
  const walked = await walk(run, prepared, answers);
  if (asked === '') {
    const first = firstOf(run, walked);
    const kept = await findKeptAnswers(run, prepared);
    const [{ reply }, effects] = await Promise.all([
      showAndNote(run, walked, first, { kept }),
      gateOf(run, walked, first),
    ]);
    return withEffects(stepReply(reply), effects);
  }
  const view = viewOf(walked, asked);
  await keepAnswers(run, prepared, walked);
  if (run.context.body[estimateName] === true) return stepReply(await estimate(run, walked, view));
  const scope = scopeOf(run, view.data, walked.answers);
  for (const before of walked.views.slice(0, walked.views.indexOf(view)))
    if (before.error && !before.isHidden) throw before.error;
  checkFields(view, answers[asked] ?? {}, scope, run.context);
  const next = walked.views.slice(walked.views.indexOf(view) + 1).find(({ isHidden }) => !isHidden);
  if (!next) {
    const placed = await place(run, { walked, view });
    return placed ?? stepReply((await showAndNote(run, walked, asked)).reply);
  }
  const effects = await gatesOf(run, walked, asked);
  if (effects.length > 0) return waitingReply(asked, effects);
  if (view.step.judge) await runCall(run.context, view.step.judge, scope);
  const { answers: known } = await findKeptAnswers(run, prepared);
  const { reply } = await showAndNote(run, walked, next.id, { kept: { answers: known } });
  return withEffects(stepReply(reply), await gateOf(run, walked, next.id));
}

/** Sorts what was typed by the steps that ask it; what none asks is the last one's, which refuses it. */
async function answersUpTo(run: JourneyRun, prepared: Replies, typed: Values, asked: string): Promise<AnswersByStep> {
  const answers: Record<string, Values> = {};
  const rest: Record<string, unknown> = { ...typed };
  for (const { drawn } of asked === '' ? [] : wayOf(run)) {
    const { views } = await walk(run, prepared, answers);
    const { fields = [] } = views.find(({ id }) => id === drawn.id) ?? {};
    const mine = fields.map(({ propertyName }) => propertyName).filter(name => Object.hasOwn(rest, name));
    answers[drawn.id] = Object.fromEntries(mine.map(name => [name, rest[name]]));
    for (const name of mine) delete rest[name];
    if (drawn.id === asked) break;
  }
  if (asked !== '') answers[asked] = { ...answers[asked], ...rest };
  return answers;
}

type Leading = { readonly run: JourneyRun; readonly prepared: Replies; readonly draft: KeptDraft | undefined };

/** Keeps where the user is now and shows it; what the cloud declines is told before anything is kept. */
async function moveTo({ run, draft }: Leading, content: DraftContent, walked: Walk): Promise<CommandReply> {
  const { reply, price } = await showAndNote(run, walked, content.at);
  const kept = await keepDraft(run, draft, { ...content, price });
  return stepReply({ ...reply, draft: draftState(kept) });
}

async function begin({ run, prepared, draft }: Leading): Promise<CommandReply> {
  const walked = await walk(run, prepared, {});
  const content = newContent(run, firstOf(run, walked));
  const { reply } = await showAndNote(run, walked, content.at);
  const kept = draft
    ? await keepDraft(run, draft, content)
    : await run.context.services.drafts.keep(keyOfDraft(run), content);
  const shown = stepReply({ ...reply, ...(kept && { draft: draftState(kept) }) });
  return withEffects(shown, await gateOf(run, walked, content.at));
}

/** Goes to a step of a draft; one whose price cannot be had now gives way to the one before. */
async function goOn({ run, prepared }: Leading, draft: KeptDraft, wanted: string): Promise<CommandReply> {
  const walked = await walk(run, prepared, draft.content.answers);
  const at = boundStep(walked.views, wanted);
  const options = { draft: draftState(draft), notice: sayDropped(run, draft.content.labels, walked) };
  const { reply, price } = await showAndNote(run, walked, at, options).catch(error => {
    const before = stepStates(walked.views).at(-2)?.id;
    if (!(error instanceof Declined) || before === undefined) throw error;
    return showAndNote(run, walked, before, options);
  });
  if (!price) return stepReply(reply);
  const kept = await run.context.services.drafts.keep(keyOfDraft(run), { ...draft.content, price }, draft.version);
  return stepReply({ ...reply, ...(kept && { draft: draftState(kept) }) });
}

/** Leads a journey whose answers are kept as a draft. */
async function leadDraft(run: JourneyRun, asked: string): Promise<CommandReply> {
  const { body } = run.context;
  const [draft, prepared] = await Promise.all([findDraft(run), prepare(run)]);
  const to = textOf(body[toName]);
  const resume = stepsOf(run).find(({ step }) => step.resume)?.drawn.id;
  const kept = draft && { ...run, parameters: { ...run.parameters, reference: draft.content.reference } };
  const leading: Leading = { run: kept ?? run, prepared, draft };
  if (asked === '' || asked === resume) {
    if (!draft || body.Resume === 'again') return begin(leading);
    if (to !== '') return goOn(leading, draft, to);
    const isBlank = Object.keys(draft.content.answers).length === 0;
    if (asked !== '' || isBlank || resume === undefined) return goOn(leading, draft, draft.content.at);
    const walked = await walk(run, prepared, draft.content.answers);
    const { reply } = await showAndNote(run, walked, resume, { draft: draftState(draft) });
    return stepReply({ ...reply, values: { ...reply.values, Resume: 'on' } });
  }
  if (!draft || !kept) throw new PortalError('STEP_OVER');
  return leave({ run: kept, prepared, draft }, draft, asked, to);
}

/** Leaves a step: with `to` whether or not it is right, else once it is. */
async function leave(leading: Leading, draft: KeptDraft, asked: string, to: string): Promise<CommandReply> {
  const { run, prepared } = leading;
  const { content } = draft;
  const typed = typedOf(run.context.body);
  const kept = await walk(run, prepared, content.answers);
  const before = viewOf(kept, asked);
  const scope = scopeOf(run, before.data, kept.answers);
  if (run.context.body[estimateName] === true) {
    const typedSoFar = { ...content.answers, [asked]: inOrder(before, typedIn(before.fields, typed)) };
    return stepReply(await estimate(run, await walk(run, prepared, typedSoFar), before));
  }
  const values = to === '' ? checkFields(before, typed, scope, run.context) : typedIn(before.fields, typed);
  const answered = withAnswers(run, content, asked, before.fields, inOrder(before, values));
  // What is never kept is there for this press.
  const walked = await walk(run, prepared, { ...answered.answers, [asked]: inOrder(before, values) });
  if (to !== '') return moveTo(leading, { ...answered, at: boundStep(walked.views, to) }, walked);
  const final = walked.views.filter(({ isHidden }) => !isHidden).at(-1);
  if (final?.id === asked && boundStep(walked.views, asked) === asked) {
    const placed = await place(run, { walked, view: final, price: content.price });
    return placed ?? moveTo(leading, { ...answered, at: asked }, walked);
  }
  const effects = await gatesOf(run, walked, asked);
  if (effects.length > 0) {
    await keepDraft(run, draft, answered);
    return waitingReply(asked, effects);
  }
  if (before.step.judge) await runCall(run.context, before.step.judge, scopeOf(run, before.data, walked.answers));
  const at = nextStep(walked.views, asked);
  return withEffects(await moveTo(leading, { ...answered, at }, walked), await gateOf(run, walked, at));
}

/**
 * Runs a journey's command `<journey>.step`: checks the step that was sent, and shows the next one or places the order.
 */
export const lead = (run: JourneyRun): Promise<CommandReply> => {
  const asked = textOf(run.context.body[stepName]);
  return run.journey.draft ? leadDraft(run, asked) : leadWithout(run, asked);
};

/** Runs a journey's command `<journey>.keep`: saves what is typed in a step to the draft, valid or not. */
export async function keep(run: JourneyRun): Promise<CommandReply> {
  const { body } = run.context;
  const asked = textOf(body[stepName]);
  const own = wayOf(run).find(({ drawn }) => drawn.id === asked);
  if (!own || own.step.summary) throw new PortalError('NOT_FOUND');
  const [draft, prepared] = await Promise.all([findDraft(run), needsData(own) ? prepare(run) : {}]);
  const content = draft?.content ?? newContent(run, asked);
  const made = needsData(own)
    ? viewOf(await walk(run, prepared, content.answers), asked)
    : makeOwnStep(run, own, scopeOf(run, {}, {}));
  const values = inOrder(made, typedIn(made.fields, body));
  const kept = await keepDraft(run, draft, { ...withAnswers(run, content, asked, made.fields, values), at: asked });
  return { envelope: { Succeed: true, Result: { draft: draftState(kept) } } };
}

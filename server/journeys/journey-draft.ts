import { createHash, randomUUID } from 'node:crypto';
import { type DraftState, versionName } from '../../shared/contract/steps.ts';
import type { FieldNode } from '../../shared/language/types.ts';
import { isSecret } from '../../shared/rules/fields.ts';
import { bindAll } from '../../shared/rules/path.ts';
import { PortalError } from '../errors.ts';
import { sessionOf } from '../operations/caller.ts';
import { textOf } from '../operations/text-of.ts';
import { type Draft, type DraftKey, draftLimit } from '../store/drafts.ts';
import {
  type AnswersByStep,
  type JourneyRun,
  type Price,
  type Replies,
  scopeOf,
  type Values,
  type Walk,
} from './journey-steps.ts';

/** What a draft holds: never a password or code. */
export type DraftContent = {
  /** Names what is placed, so that the cloud places it once. */
  readonly reference: string;
  /** The version of the journey that it was typed in. */
  readonly hash: string;
  readonly answers: AnswersByStep;
  /** What the fields were called, for when they are asked no more. */
  readonly labels: Readonly<Record<string, string>>;
  /** The step that the user is at. */
  readonly at: string;
  /** The price that was shown last. */
  readonly price?: Price | undefined;
};
export type KeptDraft = Draft & { readonly content: DraftContent };

const ownerOf = ({ context }: JourneyRun): string => {
  sessionOf(context);
  return context.caller.principal.facts.identity;
};

const guid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** One key for one meaning: a number may be written with zeros before it, and a GUID in any letter case. */
export function canonicalSubject(subject: string): string {
  if (/^\d+$/.test(subject)) return subject.replace(/^0+(?=\d)/, '');
  return guid.test(subject) ? subject.toLowerCase() : subject;
}

/**
 * Gives the key under which a wizard's draft is stored: user, journey and subject (such as a customer, see
 * `draft.for`). Throws NOT_FOUND when the subject is empty.
 */
export function keyOfDraft(run: JourneyRun): DraftKey {
  const { journey, parameters } = run;
  const subject = canonicalSubject(textOf(parameters[journey.draft?.for ?? '']));
  if (subject === '') throw new PortalError('NOT_FOUND');
  return { owner: ownerOf(run), kind: journey.id, subject };
}

/** Reads the user's stored draft of a wizard; undefined when there is none. */
export async function findDraft(run: JourneyRun): Promise<KeptDraft | undefined> {
  const found = await run.context.services.drafts.find(keyOfDraft(run));
  const content = found?.content as Partial<DraftContent> | undefined;
  if (!found || typeof content?.reference !== 'string') return undefined;
  return { ...found, content: { at: '', answers: {}, labels: {}, hash: '', ...content } as DraftContent };
}

/** Makes the content of a new draft of a wizard, without answers, at a step. */
export const newContent = ({ hash }: JourneyRun, at: string): DraftContent => ({
  ...{ reference: randomUUID(), hash, answers: {}, labels: {}, at },
});

/** Gives a draft's content with what was typed in a step put into it. */
export function withAnswers(
  { hash }: JourneyRun,
  content: DraftContent,
  step: string,
  fields: readonly FieldNode[],
  values: Values,
): DraftContent {
  const secret = new Set(fields.filter(isSecret).map(({ propertyName }) => propertyName));
  const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)));
  const labels = fields.flatMap(({ propertyName, label }) =>
    typeof label === 'string' && Object.hasOwn(kept, propertyName) ? [[`${step}.${propertyName}`, label] as const] : [],
  );
  return {
    ...content,
    hash,
    answers: { ...content.answers, [step]: kept },
    labels: { ...content.labels, ...Object.fromEntries(labels) },
  };
}

/**
 * Saves a wizard's draft as the next version of the one that the browser knows, or of the stored one.
 * @throws {PortalError} RECORD_CHANGED when somebody saved another version meanwhile, STEP_OVER when the draft is gone
 */
export async function keepDraft(run: JourneyRun, draft: Draft | undefined, content: DraftContent): Promise<KeptDraft> {
  const { body, services } = run.context;
  if (!draft) throw new PortalError('STEP_OVER');
  const over = body[versionName] ?? draft.version;
  if (typeof over !== 'number') throw new PortalError('BAD_REQUEST', { detail: 'no version' });
  const kept = await services.drafts.keep(keyOfDraft(run), content, over);
  if (!kept) throw new PortalError('RECORD_CHANGED');
  return { ...kept, content };
}

/** Answers that a journey without a draft keeps until it is placed. */
export type KeptAnswers = { readonly answers: AnswersByStep; readonly savedAt?: Date };

/** Gives the key of the answers that a journey keeps: one for what it is about, however the address says that. */
function keyOfKept(run: JourneyRun, prepared: Replies): DraftKey {
  const about = bindAll(run.journey.keeps?.of, scopeOf(run, prepared, {}));
  const subject = createHash('sha256').update(JSON.stringify(about)).digest('base64url');
  return { owner: ownerOf(run), kind: `typed in ${run.journey.id}`, subject };
}

/** Reads what was typed before in a journey that keeps it; no answers where there is nothing. */
export async function findKeptAnswers(run: JourneyRun, prepared: Replies): Promise<KeptAnswers> {
  if (!run.journey.keeps) return { answers: {} };
  const found = await run.context.services.drafts.find(keyOfKept(run, prepared));
  return found ? { answers: found.content as AnswersByStep, savedAt: found.savedAt } : { answers: {} };
}

/**
 * Keeps what is typed in the steps of a journey, but for passwords and codes, beside what was kept of other steps. What is
 * more than a draft takes is not kept, so that its field refuses it and not the draft.
 */
export async function keepAnswers(run: JourneyRun, prepared: Replies, { views }: Walk): Promise<void> {
  if (!run.journey.keeps) return;
  const { answers } = await findKeptAnswers(run, prepared);
  const typed = views.flatMap(({ id, fields, values }) => {
    const secret = new Set(fields.filter(isSecret).map(({ propertyName }) => propertyName));
    const kept = Object.entries(values).filter(([name]) => !secret.has(name));
    return kept.length === 0 ? [] : [[id, Object.fromEntries(kept)] as const];
  });
  const content = { ...answers, ...Object.fromEntries(typed) };
  const written = JSON.stringify(content);
  if (written === JSON.stringify(answers) || Buffer.byteLength(written) > draftLimit) return;
  await run.context.services.drafts.keep(keyOfKept(run, prepared), content);
}

/** Gives what the browser is told of a saved draft: its version and when it was saved. */
export const draftState = ({ version, savedAt }: Draft): DraftState => ({ version, at: savedAt.toISOString() });

/** Where the price that was shown is kept without a draft: of the same answers, whatever else is on its way. */
function keyOfPrice(run: JourneyRun, { of }: Price): DraftKey {
  const subject = createHash('sha256').update(of).digest('base64url');
  return { owner: ownerOf(run), kind: `price of ${run.journey.id}`, subject };
}

/**
 * Stores the price that a wizard without a draft shows, to compare it when the user places the order (see `wasShown`).
 */
export async function notePrice(run: JourneyRun, price: Price | undefined): Promise<void> {
  if (price && !run.journey.draft) await run.context.services.drafts.keep(keyOfPrice(run, price), price.amounts);
}

/** True when this price is the one that the user was shown, or there is no price; `kept` is the one in the draft. */
export async function wasShown(run: JourneyRun, price: Price | undefined, kept: Price | undefined): Promise<boolean> {
  if (!price) return true;
  const shown = run.journey.draft
    ? kept?.of === price.of && kept.amounts
    : (await run.context.services.drafts.find(keyOfPrice(run, price)))?.content;
  return JSON.stringify(shown) === JSON.stringify(price.amounts);
}

/** Where a press is noted that places what was answered; undefined where it has no key, or where a draft tells it. */
function keyOfPress(run: JourneyRun, answers: AnswersByStep): DraftKey | undefined {
  const { journey, context, parameters } = run;
  if (journey.draft || !context.press || !context.caller.session) return undefined;
  const pressed = JSON.stringify([context.press, parameters, answers]);
  const subject = createHash('sha256').update(pressed).digest('base64url');
  return { owner: ownerOf(run), kind: `press of ${journey.id}`, subject };
}

/**
 * Records, before the wizard's last call, that this press places these answers, so that a repeated press is recognised.
 */
export async function notePress(run: JourneyRun, answers: AnswersByStep): Promise<void> {
  const key = keyOfPress(run, answers);
  if (key) await run.context.services.drafts.keep(key, true);
}

/** True when this press has begun to place the same answers before (see `notePress`). */
export async function wasPressed(run: JourneyRun, answers: AnswersByStep): Promise<boolean> {
  const key = keyOfPress(run, answers);
  return key !== undefined && (await run.context.services.drafts.find(key)) !== undefined;
}

/** Deletes what is kept of a wizard (its draft or answers, the price shown) once its last call is done. */
export async function forget(run: JourneyRun, price: Price | undefined, prepared: Replies): Promise<void> {
  const { drafts } = run.context.services;
  if (run.journey.keeps) await drafts.drop(keyOfKept(run, prepared));
  if (run.journey.draft) await drafts.drop(keyOfDraft(run));
  else if (price) await drafts.drop(keyOfPrice(run, price));
}

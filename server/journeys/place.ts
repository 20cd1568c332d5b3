import type { Envelope } from '../../shared/contract/envelope.ts';
import { bindAll } from '../../shared/rules/path.ts';
import type { CommandReply } from '../commands/command.ts';
import { withProof } from '../commands/identity/proof.ts';
import { waitingReply } from '../commands/wizard/step-reply.ts';
import { Declined, orDeclined } from '../operations/cloud-refusal.ts';
import { staleAfter } from '../operations/stale-reads.ts';
import { askAll, contractOfCall, type DetailOf, runCall } from './journey-call.ts';
import { forget, notePress, notePrice, wasPressed, wasShown } from './journey-draft.ts';
import { type JourneyRun, type Price, type StepView, scopeOf, stepsOf, type Walk } from './journey-steps.ts';
import { doneEffects, gatesOf, priceOf, shownAnswers, showStep } from './show-step.ts';

type Placing = {
  readonly walked: Walk;
  /** The step that was left. */
  readonly view: StepView;
  /** The price that was shown, of a draft. */
  readonly price?: Price | undefined;
};

/** Judges once more every step that there is. Throws for what is wrong with one. */
async function judgeAll(run: JourneyRun, { views, answers }: Walk): Promise<void> {
  for (const { isHidden, error, step, data } of views) {
    if (isHidden) continue;
    if (error) throw error;
    if (step.judge) await runCall(run.context, step.judge, scopeOf(run, data, answers));
  }
}

/** An operation that answers with yes or no has done it for yes alone. */
function isDone({ context, journey }: JourneyRun, { Result }: Envelope): boolean {
  const contract = contractOfCall(journey.place, context.caller);
  return contract?.type !== 'value' || contract.kind !== 'yes-no' || Result === true;
}

/**
 * Does a journey's last call (places the order), after checking every step again and that the price is the one shown.
 * Gives undefined when another price must be shown first.
 * @throws {PortalError} as what is wrong with a step, and {Declined} where the cloud refuses
 */
export async function place(run: JourneyRun, placing: Placing): Promise<CommandReply | undefined> {
  const { context, journey } = run;
  const { walked, view } = placing;
  await judgeAll(run, walked);
  const scope = scopeOf(run, walked.data, walked.answers);
  const quoted = await askAll(context, view.step.quote, scope).catch(error => {
    // A press that is repeated meets what it has placed: the cloud knows it by its reference, or refuses it.
    if (error instanceof Declined) return undefined;
    throw error;
  });
  // What was placed may have changed what comes before it, and its price: a press that is repeated goes by neither.
  const effects = quoted ? await gatesOf(run, walked) : [];
  const answers = shownAnswers(walked);
  if (effects.length > 0 && !(await wasPressed(run, answers))) return waitingReply(view.id, effects);
  const price = quoted && priceOf(run, view, quoted, walked);
  if (!(await wasShown(run, price, placing.price)) && !(await wasPressed(run, answers))) return undefined;
  await notePress(run, answers);
  const whole = scopeOf(run, { ...walked.data, ...quoted }, walked.answers);
  const { proves = [], record } = journey.place;
  const detail: DetailOf = reply => {
    const bound = bindAll(record, { ...whole, reply: reply?.envelope });
    return Object.fromEntries(Object.entries(bound).filter(([, value]) => value !== undefined)) as ReturnType<DetailOf>;
  };
  const send = async () => {
    const envelope = await runCall(context, journey.place, whole, detail);
    return { status: 200, envelope: isDone(run, envelope) ? envelope : { ...envelope, Succeed: false } };
  };
  const action = context.caller.version.operations.get(journey.place.operation ?? '')?.audit || journey.id;
  const reply = proves.length === 0 ? await send() : await withProof(context, action, proves, () => orDeclined(send()));
  if (!reply.envelope.Succeed) throw new Declined(reply);
  await forget(run, price, walked.data);
  const { operation } = journey.place;
  const stale = operation === undefined ? [] : staleAfter(context.caller, operation);
  const end = stepsOf(run).find(({ step }) => step.last);
  if (!end) {
    const said = doneEffects(run, { ...whole, reply: reply.envelope });
    return { envelope: { Succeed: true, effects: [...said, ...stale] } };
  }
  const shown = await showStep(run, walked, end.drawn.id);
  return { envelope: { Succeed: true, Result: shown.reply, ...(stale.length > 0 && { effects: stale }) } };
}

/** Shows a journey's step as `showStep`, and stores the price that it shows. */
export async function showAndNote(...[run, ...more]: Parameters<typeof showStep>): ReturnType<typeof showStep> {
  const shown = await showStep(run, ...more);
  await notePrice(run, shown.price);
  return shown;
}

import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { DraftState, StepReply } from '../../../shared/contract/steps.ts';
import type { FieldNode, StepsNode } from '../../../shared/language/types.ts';
import { interpolate } from '../../../shared/rules/text.ts';
import { isShownOnly } from '../../../shared/rules/validation.ts';
import { partId } from '../../look/part-id.ts';
import { useRun } from '../../runtime/effects/effects.ts';
import { Message } from '../../runtime/effects/message.tsx';
import type { PressOutcome } from '../../runtime/effects/press.ts';
import type { NodeProps } from '../../runtime/page/registry.ts';
import type { FormStore } from '../../runtime/state/form-types.ts';
import { useSpeech } from '../../runtime/state/values.ts';

/** Milliseconds from the last change until it is kept. */
const pause = 800;
const secret = ['password', 'one-time-code'];

type Values = Readonly<Record<string, unknown>>;
type Version = { readonly $version?: number };
type Shown = { readonly is: 'saved' | 'saving' | 'unsaved' | 'changed'; readonly at?: string | undefined };

export type StepDraft = {
  readonly shown: Shown;
  /** All that is typed, whether or not it is right. */
  values(): Values;
  /** Sends, after all that was sent before, what was typed over a version. */
  send(run: (version: Version) => Promise<PressOutcome>): Promise<PressOutcome>;
  /** Goes on with what is typed here, whatever was kept elsewhere. */
  keepMine(): void;
};

type Sources = NodeProps<'steps'> & {
  readonly form: FormStore;
  readonly fields: readonly FieldNode[];
  readonly reply: StepReply;
};

/**
 * Hook that saves what is typed in a wizard's step as a draft on the server, a moment after each change; see the
 * language (`steps`, `draft`).
 */
export function useStepDraft({ node, scope, form, fields, reply }: Sources): StepDraft {
  const { keep } = node.on;
  const { start } = useRun(scope, node.id);
  const [shown, show] = useState<Shown>({ is: 'saved', at: reply.draft?.at });
  // What the last answer was, and what is on its way.
  const [memory] = useState(() => ({
    ...{ version: reply.draft?.version, kept: '', queue: Promise.resolve(), timer: 0 },
    reply: undefined as StepReply | undefined,
  }));

  const values = useCallback(
    () =>
      Object.fromEntries(
        fields
          .filter(field => !isShownOnly(field) && !secret.includes(field.kind))
          .map(({ propertyName }) => [propertyName, form.read(propertyName)]),
      ),
    [fields, form],
  );
  const send: StepDraft['send'] = useCallback(
    async run => {
      window.clearTimeout(memory.timer);
      const sent = memory.queue.then(() =>
        run(memory.version === undefined ? {} : { $version: memory.version }).then(outcome => {
          const { draft } = (outcome.reply?.Result ?? {}) as { draft?: DraftState };
          if (outcome.done && draft) memory.version = draft.version;
          if (outcome.reply?.Resources?.code === 'RECORD_CHANGED') show({ is: 'changed' });
          return outcome;
        }),
      );
      memory.queue = sent.then(() => undefined);
      return sent;
    },
    [memory],
  );
  const keepNow = useCallback(async () => {
    const given = values();
    const written = JSON.stringify(given);
    show(before => ({ ...before, is: 'saving' }));
    const { done, reply: answer } = await send(version =>
      start(keep ?? [], { ...given, $step: reply.step, ...version }),
    );
    if (answer?.Resources?.code === 'RECORD_CHANGED') return;
    if (!done) return show({ is: 'unsaved' });
    memory.kept = written;
    form.guarded = JSON.stringify(values()) !== written;
    show({ is: 'saved', at: (answer?.Result as { draft?: DraftState } | undefined)?.draft?.at });
  }, [form, keep, memory, reply.step, send, start, values]);

  useEffect(() => {
    if (!keep) return undefined;
    // A live edit brings other fields, and nothing newer than what was kept meanwhile.
    if (memory.reply !== reply) {
      memory.reply = reply;
      memory.version = reply.draft?.version;
      show({ is: 'saved', at: reply.draft?.at });
      memory.kept = JSON.stringify(values());
      form.guarded = false;
    }
    const changed = () => {
      window.clearTimeout(memory.timer);
      form.guarded = JSON.stringify(values()) !== memory.kept;
      if (form.guarded) memory.timer = window.setTimeout(() => void keepNow(), pause);
    };
    changed();
    const end = form.channel(fields.map(({ propertyName }) => propertyName)).subscribe(changed);
    return () => {
      window.clearTimeout(memory.timer);
      end();
    };
  }, [fields, form, keep, keepNow, memory, reply, values]);

  return {
    shown,
    values,
    send,
    keepMine() {
      memory.version = undefined;
      void keepNow();
    },
  };
}

type DraftLineProps = {
  readonly node: StepsNode;
  readonly draft: StepDraft;
  /** Shows what was kept elsewhere in place of what is typed here. */
  onTheirs(): void;
};

/**
 * The line that says whether the wizard's draft is saved, and asks which version to keep when it was changed elsewhere.
 */
export function DraftLine({ node, draft: { shown, keepMine }, onTheirs }: DraftLineProps): ReactNode {
  const speech = useSpeech();
  const texts = node.draft;
  if (!texts) return null;
  const text = interpolate(texts[shown.is], { at: speech.format(shown.at, 'friendly-date') });
  if (shown.is !== 'changed') {
    return (
      <p className="quiet" role="status" data-testid={partId(node.testId, 'draft')}>
        {text}
      </p>
    );
  }
  return (
    <Message kind="wait" text={text} testId={partId(node.testId, 'changed')}>
      <div className="alert__actions">
        {(['mine', 'theirs'] as const).map(whose => (
          <button
            key={whose}
            className="button button--small"
            type="button"
            data-testid={partId(node.testId, whose)}
            onClick={whose === 'mine' ? keepMine : onTheirs}
          >
            <span className="button__text">{interpolate(texts[whose], {})}</span>
          </button>
        ))}
      </div>
    </Message>
  );
}

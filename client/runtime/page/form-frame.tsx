import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FormNode } from '../../../shared/language/types.ts';
import { isShownOnly } from '../../../shared/rules/validation.ts';
import { partId } from '../../look/part-id.ts';
import { Message } from '../effects/message.tsx';
import { UnknownOutcome } from '../effects/unknown-outcome.tsx';
import { FormContext, useFormName } from '../forms/form-context.ts';
import { entryNames, fieldsOf, firstValues } from '../forms/form-fields.ts';
import { createForm } from '../forms/form-store.ts';
import { restoreForm } from '../forms/kept-forms.ts';
import { useDocument } from '../state/document-scope.tsx';
import type { FormStore } from '../state/form-types.ts';
import { nextKey, usePortalObject } from '../state/portal.ts';
import type { Scope } from '../state/scope.ts';
import { useSpeech } from '../state/values.ts';
import { drawNodes } from './children.tsx';

/** Milliseconds after opening at which sign-in looks for what the browser has filled in (document 1, section 9). */
const autofillDelay = 500;

const takeFilled = async (element: HTMLFormElement | null, form: FormStore): Promise<void> =>
  (await import('../forms/autofill.ts')).takeFilled(element, form);

/** What of a form is drawn; a delivered form has the same. */
export type FormShape = Omit<FormNode, 'type' | 'on' | 'form' | 'when'>;
type Values = Readonly<Record<string, unknown>>;

/**
 * Gives the state of a form, kept by the form's id while its document is open; a form in a row of a list has a state
 * for each row. `given` are first values from outside of the document's data.
 */
export function useFormStore(shape: FormShape, scope: Scope, given?: Values): FormStore {
  const portal = usePortalObject();
  const document = useDocument();
  const fields = fieldsOf(shape);
  const first = useMemo(
    () => given ?? firstValues(fields, shape.initial, scope),
    [fields, shape.initial, scope, given],
  );
  const [form] = useState(() => {
    const isOne = scope.row === undefined;
    const there = isOne ? document.forms.get(shape.id) : undefined;
    if (there) return there;
    const made = createForm(`f${nextKey()}`, fields, first, scope);
    const inputs = fields.filter(field => !isShownOnly(field) && field.kind !== 'hidden');
    // Nothing is lost with a sign-in, nor with a lone field that started empty.
    made.guarded =
      portal.boot.get().principal.type !== 'public' &&
      (shape.initial !== undefined || given !== undefined || inputs.length > 1);
    if (isOne) {
      document.forms.set(shape.id, made);
      restoreForm(portal, String(document.layout.get().layout.id), shape.id, made);
    }
    return made;
  });
  form.large = shape.large ?? false;
  form.entryNames = useMemo(() => entryNames(fields, shape.initial, scope), [fields, shape.initial, scope]);
  useLayoutEffect(() => form.configure(fields, scope), [form, fields, scope]);
  useLayoutEffect(() => form.load(first), [form, first]);
  return form;
}

type FormFrameProps = {
  readonly shape: FormShape;
  readonly scope: Scope;
  readonly form: FormStore;
  readonly busy: boolean;
  readonly failure: string | undefined;
  /** What to say in place of the failure where it is not known whether it was done. */
  readonly unknown?: string | undefined;
  readonly reference?: string | undefined;
  /** Given the checked values; called only when nothing is wrong. */
  readonly onSubmit: (values: Values) => Promise<unknown>;
  readonly onCancel?: (() => void) | undefined;
  /** What stands beside the buttons. */
  readonly actions?: ReactNode;
  /** Draws what follows the fields in place of the buttons, around the button that sends. */
  readonly foot?: ((submit: ReactNode) => ReactNode) | undefined;
};

/**
 * Draws a form with its fields, its alert and its buttons. An invalid submit goes to the first field that is wrong.
 * No component, since every layer above a field costs each keystroke.
 */
export function useFormFrame(props: FormFrameProps): ReactNode {
  const { shape, scope, form, busy, failure, unknown, reference, onSubmit, onCancel, actions, foot } = props;
  const speech = useSpeech();
  const errorTitle = speech.text(shape.errorTitle, shape.values, scope);
  const cancelText = speech.text(shape.cancel, shape.values, scope);
  const around = useMemo(() => ({ form, speech }), [form, speech]);

  const goToWrong = () => {
    const id = form.firstWrong();
    if (id) window.document.getElementById(id)?.focus();
  };
  const element = useRef<HTMLFormElement>(null);
  // Only the forms of the sign-in pages are large.
  useEffect(() => {
    const timer = form.large && setTimeout(() => takeFilled(element.current, form), autofillDelay);
    return () => clearTimeout(timer || undefined);
  }, [form]);
  const submitButton = () => {
    const button = element.current?.querySelector<HTMLButtonElement>('[type=submit]');
    // What was pressed goes away with what it stands in.
    button?.focus();
    return button;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A form inside a dialog inside a form is a child in React, not on the page.
    event.stopPropagation();
    if (form.large) await takeFilled(element.current, form);
    const values = form.submit();
    // What the answer brings, such as a field that is wrong, is drawn first, however busy the browser is.
    if (values) await onSubmit(values).then(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))));
    goToWrong();
  };

  const send = <SubmitButton shape={shape} scope={scope} form={form} busy={busy} />;
  // What comes and goes stands in a part of its own: a browser looks through all inputs of a form whenever a script
  // names a property of the form itself, as React does to add or remove a child of it.
  return (
    <form ref={element} noValidate onSubmit={event => void submit(event)} data-testid={shape.testId}>
      <div className={shape.twoColumns ? 'form form--two' : 'form'}>
        {failure && (
          <div className="form__wide" ref={intoView}>
            {unknown === undefined ? (
              <Message kind="bad" title={errorTitle} text={failure} reference={reference} />
            ) : (
              <UnknownOutcome
                text={unknown}
                reference={reference}
                makes={shape.initial === undefined}
                again={() => submitButton()?.click()}
              />
            )}
          </div>
        )}
        <FormContext value={around}>{drawNodes(shape.children, scope)}</FormContext>
        {!foot && (
          <div className="form__actions form__wide">
            {onCancel && (
              <button
                className={shape.large ? 'button button--large' : 'button'}
                type="button"
                data-testid={partId(shape.testId, 'cancel')}
                onClick={() => {
                  form.reset();
                  onCancel();
                }}
              >
                <span className="button__text">{cancelText}</span>
              </button>
            )}
            {actions}
            {send}
          </div>
        )}
      </div>
      {foot?.(send)}
    </form>
  );
}

/** What was said stands at the head of a form, and the button that was pressed at its end. */
const intoView = (said: HTMLElement | null): void => said?.scrollIntoView({ block: 'nearest' });

type SubmitProps = Pick<FormFrameProps, 'shape' | 'scope' | 'form' | 'busy'>;

function SubmitButton({ shape, scope, form, busy }: SubmitProps): ReactNode {
  const speech = useSpeech();
  const text = speech.text((busy && shape.busy) || shape.submit, shape.values, scope);
  const isChanged = useFormName(form, '$changed');
  const isIdle = !(shape.pristine ?? shape.initial === undefined) && !isChanged;
  const look = shape.danger ? 'button--danger' : 'button--primary';
  return (
    <button
      className={`button ${look}${shape.large ? ' button--large button--wide' : ''}`}
      type="submit"
      data-testid={partId(shape.testId, 'submit')}
      disabled={isIdle && !busy}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
    >
      {busy && <span className="spinner" />}
      <span className="button__text">{text}</span>
    </button>
  );
}

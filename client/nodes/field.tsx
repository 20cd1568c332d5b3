import { type ReactNode, useMemo } from 'react';
import type { FieldNode } from '../../shared/language/types.ts';
import { isMet } from '../../shared/rules/condition.ts';
import type { FieldError } from '../../shared/rules/validation.ts';
import { Icon } from '../look/icon.tsx';
import { drawNodes } from '../runtime/children.tsx';
import { useChannel, useForm, withForm } from '../runtime/form-context.ts';
import { formNames } from '../runtime/form-fields.ts';
import type { FormStore } from '../runtime/form-store.ts';
import type { NodeProps } from '../runtime/registry.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Speech } from '../runtime/speech.ts';
import { useSpeech } from '../runtime/values.ts';
import { type Control, drawControl, drawRadios, drawTick } from './field-control.tsx';

/** What of a field stays as it is while one types. */
type Fixed = {
  readonly control: Omit<Control, 'value' | 'isOff' | 'isWrong' | 'describedBy'>;
  /** Ids of the note and the hint. */
  readonly described: string;
  readonly aside: ReactNode;
  readonly note: ReactNode;
  readonly hint: ReactNode;
};

function isTicked({ kind }: FieldNode): boolean {
  return kind === 'checkbox' || kind === 'switch';
}

function fix(node: FieldNode, form: FormStore, scope: Scope, speech: Speech): Fixed {
  const { propertyName: name, kind, values } = node;
  const id = `${form.id}-${name}`;
  const message = speech.text(node.message, values, scope);
  const hint = speech.text(node.toolTip, values, scope);
  const isOptional = !node.mandatory && node.requiredValue === undefined && kind !== 'display' && !node.readOnly;
  return {
    control: {
      field: node,
      id,
      label: speech.text(node.label, values, scope) || name,
      hint,
      placeholder: speech.text(node.placeholder, values, scope),
      speech,
      isLarge: form.large,
      onValue: value => form.set(name, value),
      onLeave: () => form.touch(name),
    },
    described: [message && `${id}-message`, hint && `${id}-hint`].filter(Boolean).join(' '),
    aside: node.action
      ? drawNodes(node.action, scope)
      : isOptional && <span className="field__optional">{speech.word('form.optional')}</span>,
    note: message && (
      <p className="field__hint" id={`${id}-message`}>
        {message}
      </p>
    ),
    hint: hint && !isTicked(node) && (
      <p className="field__hint" id={`${id}-hint`}>
        {hint}
      </p>
    ),
  };
}

/** What a field reads of its form besides its value. */
type Reads = {
  /** All names, for its conditions and texts. */
  readonly names: readonly string[];
  readonly isInTexts: boolean;
  /** What it listens to: its own name, which speaks for its conditions too, and what its texts read. */
  readonly listens: string | readonly string[];
};

const known = new WeakMap<FieldNode, Reads>();

function readsOf(node: FieldNode): Reads {
  let reads = known.get(node);
  if (!reads) {
    const names = formNames(node);
    const { when, disabledWhen, ...others } = node;
    const texts = names.length > 0 ? formNames(others) : names;
    const own = node.propertyName;
    const isInTexts = texts.length > 0;
    reads = { names, isInTexts, listens: isInTexts ? [own, ...texts] : own };
    known.set(node, reads);
  }
  return reads;
}

/** What is wrong with a value, in the field's own words or the runtime's. */
function describe(error: FieldError | string, node: FieldNode, label: string, scope: Scope, speech: Speech): string {
  if (typeof error === 'string') return error;
  const { code, values } = error;
  const isMissing = code === 'required' || code === 'checkbox';
  const isUnlike = code === 'invalid' || code === 'requiredValue';
  const own = isMissing ? node.mandatoryMessage : isUnlike ? node.invalidMessage : undefined;
  return own === undefined
    ? speech.word(`form.${code}`, { ...values, field: label })
    : speech.text(own, node.values, scope);
}

function drawError(id: string, text: string | undefined): ReactNode {
  if (text === undefined) return null;
  return (
    <p className="field__error" id={`${id}-error`}>
      <Icon name="alert" />
      <span>{text}</span>
    </p>
  );
}

/**
 * One value of a form: label, note, control, hint and, once it was touched or the form was sent, what is wrong
 * with it. A keystroke draws this field alone. It stays mounted while its condition hides it, so that it is there
 * again with one drawing.
 */
export function Field({ node, scope }: NodeProps<'field'>): ReactNode {
  const form = useForm();
  if (!form) throw new Error(`The field "${node.propertyName}" stands outside of a form.`);
  const { propertyName: name, kind } = node;
  const speech = useSpeech();
  const { names, isInTexts, listens } = readsOf(node);
  useChannel(form.channel(listens));
  const inner = names.length > 0 ? withForm(form, names, scope) : scope;
  const written = isInTexts ? inner : scope;
  const fixed = useMemo(() => fix(node, form, written, speech), [node, form, written, speech]);
  if (kind === 'hidden' || !isMet(node.when, inner)) return null;

  const { id, label } = fixed.control;
  const error = form.error(name);
  const wrong = error && describe(error, node, label, inner, speech);
  const value = form.value(name);
  const described = wrong === undefined ? fixed.described : `${fixed.described} ${id}-error`.trim();
  const control: Control = {
    ...fixed.control,
    value,
    isOff: node.disabledWhen !== undefined && isMet(node.disabledWhen, inner),
    isWrong: wrong !== undefined,
    describedBy: described || undefined,
  };
  const className = node.wide ? 'field form__wide' : 'field';
  if (isTicked(node)) {
    return (
      <div className={className}>
        {fixed.note}
        {drawTick(control)}
        {drawError(id, wrong)}
      </div>
    );
  }
  if (kind === 'radio') {
    return (
      <fieldset
        className={className}
        aria-describedby={control.describedBy}
        data-testid={node.testId}
        disabled={control.isOff}
      >
        <legend className="field__label">
          {label}
          {fixed.aside}
        </legend>
        {fixed.note}
        {drawRadios(control)}
        {fixed.hint}
        {drawError(id, wrong)}
      </fieldset>
    );
  }
  return (
    <div className={className}>
      <div className="field__label">
        {kind === 'display' ? <span>{label}</span> : <label htmlFor={id}>{label}</label>}
        {fixed.aside}
      </div>
      {fixed.note}
      {kind === 'display' ? (
        <p data-testid={node.testId}>{speech.format(value, typeof value === 'boolean' ? 'yes-no' : 'text')}</p>
      ) : (
        drawControl(control)
      )}
      {fixed.hint}
      {drawError(id, wrong)}
    </div>
  );
}

import type { ReactNode } from 'react';
import type { FieldNode } from '../../../shared/language/types.ts';
import { fieldMessage } from '../../../shared/rules/field-message.ts';
import type { FieldError } from '../../../shared/rules/validation.ts';
import { afterPress } from '../../look/after-press.ts';
import { Icon } from '../../look/icon.tsx';
import { formNames } from '../../runtime/forms/form-fields.ts';
import { drawNodes } from '../../runtime/page/children.tsx';
import type { FormStore } from '../../runtime/state/form-types.ts';
import type { Scope } from '../../runtime/state/scope.ts';
import type { Speech } from '../../runtime/state/speech.ts';
import type { Control } from './control.tsx';

/** What of a field stays as it is while one types. */
export type Fixed = {
  readonly control: Omit<Control, 'value' | 'isOff' | 'isWrong' | 'describedBy'>;
  /** Ids of the note and the hint. */
  readonly described: string;
  readonly aside: ReactNode;
  /** The note and the hint, below the control. */
  readonly hint: ReactNode;
};

/** True for the kinds of field that are ticked (checkbox, switch) instead of typed in. */
export function isTicked({ kind }: FieldNode): boolean {
  return kind === 'checkbox' || kind === 'switch';
}

/**
 * Gives what of a field stays the same while its user types: the properties of its input, its label, texts, and ids.
 */
export function fix(
  node: FieldNode,
  form: FormStore,
  scope: Scope,
  speech: Speech,
  typedIn: Control['typedIn'],
): Fixed {
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
      typedIn,
      onValue: value => form.set(name, value),
      // Whoever goes to a link or a button, such as Cancel, is done with the field.
      onLeave: ({ relatedTarget }) => relatedTarget?.matches('a, [type=button]') || afterPress(() => form.touch(name)),
    },
    described: [message && `${id}-message`, hint && `${id}-hint`].filter(Boolean).join(' '),
    aside: node.action
      ? drawNodes(node.action, scope)
      : isOptional && <span className="field__optional">{speech.word('form.optional')}</span>,
    hint: [drawHint(`${id}-message`, message), !isTicked(node) && drawHint(`${id}-hint`, hint)],
  };
}

function drawHint(id: string, text: string): ReactNode {
  return (
    text && (
      <p key={id} className="field__hint" id={id}>
        {text}
      </p>
    )
  );
}

/** The form fields that a field node depends on besides its own value. */
export type FieldDependencies = {
  /** Names of the form fields that its conditions and texts use. */
  readonly names: readonly string[];
  /** True when a text (or another property that is no condition) uses a form field. */
  readonly isInTexts: boolean;
  /**
   * Names of the form's channels to subscribe to: its own, which also notifies when a condition of the field changes, and
   * those of the fields that its texts use.
   */
  readonly channels: string | readonly string[];
};

const known = new WeakMap<FieldNode, FieldDependencies>();

/**
 * Finds the form fields that a field node depends on. Keeps the result for each node, since a field asks at every
 * change.
 */
export function findDependencies(node: FieldNode): FieldDependencies {
  let dependencies = known.get(node);
  if (!dependencies) {
    const names = formNames(node);
    const { when, disabledWhen, ...others } = node;
    const texts = names.length > 0 ? formNames(others) : names;
    const own = node.propertyName;
    const isInTexts = texts.length > 0;
    dependencies = { names, isInTexts, channels: isInTexts ? [own, ...texts] : own };
    known.set(node, dependencies);
  }
  return dependencies;
}

/** Gives the error message of a field: that of its validation error, or the text itself where the server sent one. */
export function describe(error: FieldError | string, node: FieldNode, scope: Scope, speech: Speech): string {
  return typeof error === 'string' ? error : fieldMessage(node, error, scope, speech);
}

/** Draws the error message below a field, with the id that its input refers to; null without a text. */
export function drawError(id: string, text: string | undefined): ReactNode {
  if (text === undefined) return null;
  return (
    <p className="field__error" id={`${id}-error`}>
      <Icon name="alert" />
      <span>{text}</span>
    </p>
  );
}

import { type ContextType, cloneElement, type ReactElement, type ReactNode } from 'react';
import type { FieldNode, Node } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import type { FieldError } from '../../../shared/rules/validation.ts';
import { FormContext, type FormSurroundings, withForm } from '../../runtime/forms/form-context.ts';
import { NodeView } from '../../runtime/page/children.tsx';
import type { Channel } from '../../runtime/state/form-types.ts';
import type { Scope } from '../../runtime/state/scope.ts';
import { type Control, drawControl, drawRadios, drawTick, type TypedIn, textOf } from './control.tsx';
import { describe, drawError, type Fixed, findDependencies, fix, isTicked } from './parts.tsx';

type Shown = ReactElement<{ readonly hidden?: boolean }>;
type Wrong = FieldError | string | undefined;
type FixedFor = readonly [node: FieldNode, around: FormSurroundings, scope: Scope, fixed: Fixed];

/**
 * One value of a form: label, note, control, hint and, once it was touched or the form was sent, what is wrong
 * with it. A keystroke draws this field at most. Once it was shown it stays on the page while its condition hides it,
 * since to make it anew costs more. It is its own view: of nothing are there more in a form, and each layer costs
 * every one.
 */
export class Field extends NodeView {
  static override contextType = FormContext;
  declare context: ContextType<typeof FormContext>;
  #channel: Channel | undefined;
  #drawn = 0;
  #heard: Channel | undefined;
  #stop: (() => void) | undefined;
  #fixed: FixedFor | undefined;
  #shown: Shown | undefined;
  #error: Wrong;
  #input: TypedIn | null = null;
  #typedIn = (input: TypedIn | null): void => {
    this.#input = input;
  };

  override componentDidMount(): void {
    this.#listen();
  }

  override componentDidUpdate(): void {
    this.#listen();
    if (this.#input && !this.#isTyped()) this.#input.value = this.#text();
  }

  override componentWillUnmount(): void {
    this.#stop?.();
    this.#heard = undefined;
  }

  /** Hears what it was drawn from; draws again what has changed since. */
  #listen(): void {
    const channel = this.#channel;
    if (channel !== this.#heard) {
      this.#stop?.();
      this.#stop = channel?.subscribe(this.#hear);
      this.#heard = channel;
    }
    if (channel && channel.version() !== this.#drawn) this.#hear();
  }

  /** Most of what is typed changes nothing but the input, which the browser has drawn already. */
  #hear = (): void => {
    const node = this.props.node as FieldNode;
    const isTyped = this.#isTyped() && findDependencies(node).names.length === 0;
    if (!isTyped || this.#error !== this.context?.form.error(node.propertyName)) this.setState({});
  };

  #text(): string {
    return textOf(this.context?.form.value((this.props.node as FieldNode).propertyName));
  }

  #isTyped(): boolean {
    return this.#input?.value === this.#text();
  }

  #fixedOf(node: FieldNode, around: FormSurroundings, scope: Scope): Fixed {
    const [oldNode, oldAround, oldScope, old] = this.#fixed ?? [];
    if (old && oldNode === node && oldAround === around && oldScope === scope) return old;
    const fixed = fix(node, around.form, scope, around.speech, this.#typedIn);
    this.#fixed = [node, around, scope, fixed];
    return fixed;
  }

  protected override draw(anyNode: Node, scope: Scope): ReactNode {
    const node = anyNode as FieldNode;
    const around = this.context;
    if (!around) throw new Error(`The field "${node.propertyName}" stands outside of a form.`);
    const { names, isInTexts, channels } = findDependencies(node);
    this.#channel = around.form.channel(channels);
    this.#drawn = this.#channel.version();
    const inner = names.length > 0 ? withForm(around.form, names, scope) : scope;
    const fixed = this.#fixedOf(node, around, isInTexts ? inner : scope);
    if (node.kind === 'hidden') return null;
    if (isMet(node.when, inner)) {
      this.#error = around.form.error(node.propertyName);
      this.#shown = drawField(node, around, inner, fixed, this.#error);
      return this.#shown;
    }
    // Of fields that share a name, and thus ids, one is on the page at a time.
    return this.#shown && !around.form.isShared(node.propertyName) ? cloneElement(this.#shown, { hidden: true }) : null;
  }
}

function drawField(
  node: FieldNode,
  { form, speech }: FormSurroundings,
  inner: Scope,
  fixed: Fixed,
  error: Wrong,
): Shown {
  const { propertyName: name, kind } = node;
  const { id, label } = fixed.control;
  const wrong = error && describe(error, node, inner, speech);
  const value = form.value(name);
  const described = wrong === undefined ? fixed.described : `${fixed.described} ${id}-error`.trim();
  const control: Control = {
    ...fixed.control,
    value,
    isOff: node.disabledWhen !== undefined && isMet(node.disabledWhen, inner),
    isWrong: wrong !== undefined,
    describedBy: described || undefined,
  };
  const className = ['field', node.wide && 'form__wide', control.isWrong && 'field--wrong'].filter(Boolean).join(' ');
  if (isTicked(node)) {
    return (
      <div className={className}>
        {drawTick(control)}
        {fixed.hint}
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

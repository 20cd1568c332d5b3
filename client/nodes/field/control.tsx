import { type ComponentType, type FocusEvent, type ReactNode, type RefCallback, useState } from 'react';
import type { FieldNode, LayoutText } from '../../../shared/language/types.ts';
import { interpolate } from '../../../shared/rules/text.ts';
import { entryFor } from '../../look/catalogue-entry.ts';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { entryOf } from '../../runtime/page/registry.ts';
import type { Speech } from '../../runtime/state/speech.ts';

/** What a control is drawn from. Controls are functions of it, no components: a form of 200 fields has few layers. */
export type Control = {
  readonly field: FieldNode;
  readonly id: string;
  readonly value: unknown;
  readonly label: string;
  readonly placeholder: string;
  readonly hint: string;
  readonly speech: Speech;
  readonly isOff: boolean;
  readonly isLarge: boolean;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
  /** Told the plain input that is typed in, if it is one. */
  readonly typedIn: RefCallback<TypedIn>;
  onValue(value: unknown): void;
  onLeave(event: FocusEvent): void;
};

export type TypedIn = HTMLInputElement & HTMLTextAreaElement;

type Option = {
  readonly value: string | number | boolean | null;
  readonly text: LayoutText;
  readonly hint?: LayoutText;
  readonly amount?: LayoutText;
};

/** The options of a choice field: its own, else the entries of its catalogue. */
export const optionsOf = (field: FieldNode): readonly Option[] => field.options ?? field.catalogue ?? [];
/** Gives a value as text; '' for null and undefined. */
export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** What every control of a value tells a browser and a screen reader. */
function shared({ field, id, isOff, isWrong, describedBy, onLeave }: Control) {
  return {
    id,
    name: field.propertyName,
    disabled: isOff || undefined,
    'aria-invalid': isWrong || undefined,
    'aria-required': field.mandatory || undefined,
    'aria-describedby': describedBy,
    'data-testid': field.testId,
    onBlur: onLeave,
  };
}

/** Draws a checkbox or switch with its label; on the sign-in card the checkbox has a box around it. */
export function drawTick(props: Control): ReactNode {
  const { field, id, value, label, hint, isLarge, onValue } = props;
  const isSwitch = field.kind === 'switch';
  return (
    <label className={isSwitch ? 'switch' : isLarge ? 'check check--box' : 'check'} htmlFor={id}>
      <input
        {...shared(props)}
        type="checkbox"
        role={isSwitch ? 'switch' : undefined}
        checked={value === true}
        readOnly={field.readOnly}
        onChange={event => field.readOnly || onValue(event.target.checked)}
      />
      <span>{label}</span>
      {hint && (
        <span className="check__hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </label>
  );
}

/** Draws a control that few pages have. */
function drawLate(name: string, props: Control): ReactNode {
  const Late = entryOf(name).component as unknown as ComponentType<Control>;
  return <Late {...props} />;
}

/** Draws the radio buttons of a choice field, one for each option, or the look that the field names (such as cards). */
export function drawRadios(props: Control): ReactNode {
  const { field, id, value, isOff, isWrong, onValue, onLeave } = props;
  if (field.look) return drawLate(field.look, props);
  return optionsOf(field).map((option, index) => (
    <label key={String(option.value)} className="check">
      <input
        type="radio"
        // The first one is where the focus goes when the choice is missing.
        id={index === 0 ? id : undefined}
        name={id}
        data-testid={partId(field.testId, String(option.value))}
        checked={value === option.value}
        disabled={isOff || field.readOnly}
        aria-invalid={isWrong || undefined}
        required={field.mandatory}
        onChange={() => onValue(option.value)}
        onBlur={onLeave}
      />
      <span>{interpolate(option.text, {})}</span>
      {option.hint && <span className="check__hint">{interpolate(option.hint, {})}</span>}
    </label>
  ));
}

function drawSelect(props: Control): ReactNode {
  const { field, value, placeholder, onValue } = props;
  const options = optionsOf(field);
  const isChosen = entryFor(options, value) !== undefined;
  return (
    <select
      {...shared(props)}
      className="select"
      value={isChosen ? String(value) : ''}
      disabled={props.isOff || field.readOnly || undefined}
      onChange={event => onValue(options.find(option => String(option.value) === event.target.value)?.value)}
    >
      {(!isChosen || !field.mandatory) && <option value="">{placeholder}</option>}
      {options.map(option => (
        <option key={String(option.value)} value={String(option.value)}>
          {interpolate(option.text, {})}
        </option>
      ))}
    </select>
  );
}

function Password(props: Control): ReactNode {
  const { field, id, value, placeholder, speech, isLarge, isOff, onValue } = props;
  const [isShown, setShown] = useState(false);
  return (
    <div className={`input-group${isLarge ? ' input-group--large' : ''}${isOff ? ' input-group--off' : ''}`}>
      <input
        {...shared(props)}
        className={isLarge ? 'input input--large' : 'input'}
        type={isShown ? 'text' : 'password'}
        value={textOf(value)}
        placeholder={placeholder}
        autoComplete={field.autocomplete ?? 'off'}
        autoCapitalize="off"
        spellCheck={false}
        readOnly={field.readOnly}
        onChange={event => onValue(event.target.value)}
      />
      <button
        className="button button--icon button--quiet"
        type="button"
        aria-label={speech.word('form.showPassword')}
        data-testid={partId(field.testId, 'show')}
        aria-pressed={isShown}
        aria-controls={id}
        disabled={isOff}
        onClick={() => setShown(!isShown)}
      >
        <Icon name={isShown ? 'eye-off' : 'eye'} />
      </button>
    </div>
  );
}

/** How a kind of text is typed. Numbers are typed as text, so that what cannot be read is not lost but said. */
const types: Readonly<Record<string, string>> = { email: 'email', phone: 'tel' };
const modes: Readonly<Record<string, 'decimal' | 'numeric'>> = { number: 'decimal', 'one-time-code': 'numeric' };

/**
 * Draws the input of a field that is typed or chosen: text, text area, select, password, date or file. A plain input is
 * uncontrolled: the browser keeps what is typed.
 */
export function drawControl(props: Control): ReactNode {
  const { field, value, placeholder, isLarge, onValue } = props;
  const { kind } = field;
  if (kind === 'select') return drawSelect(props);
  if (kind === 'password') return <Password {...props} />;
  if (kind === 'file' || kind === 'colour' || kind.startsWith('date')) return drawLate(kind, props);
  const isArea = kind === 'text-area';
  const Tag = isArea ? 'textarea' : 'input';
  // Each attribute by its name: an object that is spread together from so many is slow to read ever after.
  return (
    <Tag
      ref={props.typedIn}
      id={props.id}
      name={field.propertyName}
      className={isArea ? 'textarea' : isLarge ? 'input input--large' : 'input'}
      type={isArea ? undefined : (types[kind] ?? 'text')}
      inputMode={modes[kind]}
      min={field.min}
      max={field.max}
      defaultValue={textOf(value)}
      placeholder={placeholder || undefined}
      autoComplete={kind === 'one-time-code' ? 'one-time-code' : field.autocomplete}
      readOnly={field.readOnly}
      disabled={props.isOff || undefined}
      aria-invalid={props.isWrong || undefined}
      aria-required={field.mandatory || undefined}
      aria-describedby={props.describedBy}
      data-testid={field.testId}
      onChange={(event: { target: { value: string } }) => onValue(event.target.value)}
      onBlur={props.onLeave}
    />
  );
}

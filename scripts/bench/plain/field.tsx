import { memo } from 'react';
import type { Specimen } from '../browser/specimens.ts';

type PlainFieldProps = {
  readonly field: Specimen;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (name: string, value: unknown) => void;
  readonly onBlur: (name: string) => void;
};

const inputTypes: Readonly<Record<string, string>> = { email: 'email', phone: 'tel' };

/**
 * A form field in plain React, to compare the portal's own with; drawn again only when its value or message changes.
 */
export const PlainField = memo(function PlainField({ field, value, error, onChange, onBlur }: PlainFieldProps) {
  const { propertyName: name, label, toolTip } = field;
  const said = [error === undefined ? '' : `${name}-error`, toolTip ? `${name}-hint` : ''].filter(Boolean).join(' ');
  const shared = {
    id: name,
    name,
    'aria-required': field.mandatory || undefined,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': said || undefined,
    onBlur: () => onBlur(name),
  };
  if (field.kind === 'checkbox') {
    return (
      <div className="field">
        <label className="check">
          <input
            {...shared}
            type="checkbox"
            checked={value === true}
            onChange={event => onChange(name, event.target.checked)}
          />
          <span>{label}</span>
        </label>
      </div>
    );
  }
  return (
    <div className="field">
      <div className="field__label">
        <label htmlFor={name}>{label}</label>
        {field.mandatory ? null : <span className="field__optional">Optional</span>}
      </div>
      {field.kind === 'select' ? (
        <select
          {...shared}
          className="select"
          value={String(value ?? '')}
          onChange={event => onChange(name, event.target.value)}
        >
          {field.options?.map(option => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          className="input"
          type={inputTypes[field.kind] ?? 'text'}
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
          value={String(value ?? '')}
          onChange={event => onChange(name, event.target.value)}
        />
      )}
      {toolTip ? (
        <p className="field__hint" id={`${name}-hint`}>
          {toolTip}
        </p>
      ) : null}
      {error === undefined ? null : (
        <p className="field__error" id={`${name}-error`}>
          <svg className="icon" aria-hidden="true">
            <use href="icons.svg#alert" />
          </svg>
          <span>{error}</span>
        </p>
      )}
    </div>
  );
});

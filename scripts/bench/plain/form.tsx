import { useCallback, useState } from 'react';
import { initialValues, type Specimen } from '../browser/specimens.ts';
import { PlainField } from './field.tsx';

type Values = Readonly<Record<string, unknown>>;
type PlainFormProps = { readonly fields: readonly Specimen[]; readonly onSubmit: (values: Values) => void };

/**
 * A form in plain React, to compare the portal's own with: values in one state, fields memoised, checked while typing.
 */
export function PlainForm({ fields, onSubmit }: PlainFormProps) {
  const [values, setValues] = useState<Values>(initialValues);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const change = useCallback((name: string, value: unknown) => {
    setValues(old => ({ ...old, [name]: value }));
    setTouched(old => (old.has(name) ? old : new Set(old).add(name)));
  }, []);
  const blur = useCallback((name: string) => setTouched(old => (old.has(name) ? old : new Set(old).add(name))), []);
  const isChanged = fields.some(({ propertyName }) => values[propertyName] !== initialValues[propertyName]);
  const shown = fields.filter(field => field.needs === undefined || values[field.needs] === true);
  return (
    <form
      className="form"
      noValidate
      onSubmit={event => {
        event.preventDefault();
        setTouched(new Set(fields.map(field => field.propertyName)));
        if (shown.every(field => problemOf(field, values[field.propertyName]) === undefined)) onSubmit(values);
      }}
    >
      {shown.map(field => (
        <PlainField
          key={field.propertyName}
          field={field}
          value={values[field.propertyName]}
          error={touched.has(field.propertyName) ? problemOf(field, values[field.propertyName]) : undefined}
          onChange={change}
          onBlur={blur}
        />
      ))}
      <div className="form__actions">
        <button className="button button--primary" type="submit" disabled={!isChanged}>
          <span className="button__text">Save</span>
        </button>
      </div>
    </form>
  );
}

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function problemOf(field: Specimen, value: unknown): string | undefined {
  const text = String(value ?? '');
  if (text === '') return field.mandatory ? `${field.label} is required` : undefined;
  if (field.maxLength !== undefined && text.length > field.maxLength) return `At most ${field.maxLength} characters`;
  if (field.kind === 'email' && !emailPattern.test(text)) return 'Must be an e-mail address';
  if (field.kind === 'number' && !isBetween(Number(text), field.min, field.max)) return 'Must be within its bounds';
  if (field.regex !== undefined && !new RegExp(field.regex).test(text)) return field.invalidMessage;
  return undefined;
}

function isBetween(value: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): boolean {
  return value >= min && value <= max;
}

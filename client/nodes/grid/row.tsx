import type { ReactNode } from 'react';
import type { FieldNode } from '../../../shared/language/types.ts';
import type { Values } from '../../../shared/rules/grid.ts';
import { isShownOnly } from '../../../shared/rules/validation.ts';
import { afterPress } from '../../look/after-press.ts';
import { partId } from '../../look/part-id.ts';
import type { Scope } from '../../runtime/state/scope.ts';
import type { Speech } from '../../runtime/state/speech.ts';
import { type Control, drawControl, drawTick } from '../field/control.tsx';
import { describe, drawError, isTicked } from '../field/parts.tsx';
import { roles } from '../table/roles.ts';
import type { Item, ShownErrors } from './typing.ts';

type RowProps = {
  readonly id: string;
  readonly item: Item;
  readonly fields: readonly FieldNode[];
  readonly scope: Scope;
  readonly speech: Speech;
  /** What is so of it now. */
  readonly figures: Values | undefined;
  readonly typed: Values | undefined;
  readonly errors: ShownErrors;
  readonly testId: string | undefined;
  classOf(name: string): string | undefined;
  set(item: Item, field: FieldNode, value: unknown): void;
  leave(key: string, name: string): void;
};

/** One row of a grid: the item's name, and its input fields. */
export function GridRow(props: RowProps): ReactNode {
  const { item, fields, scope, speech, testId } = props;
  return (
    <tr {...roles.row} data-testid={testId}>
      <th {...roles.rowHeader} scope="row" className="cell-lead">
        {item.title}
      </th>
      {fields.map(field => (
        <td
          key={field.propertyName}
          {...roles.cell}
          className={props.classOf(field.propertyName)}
          data-label={speech.text(field.label, field.values, scope) || field.propertyName}
        >
          <Cell {...props} field={field} />
        </td>
      ))}
    </tr>
  );
}

function Cell({
  id: rowId,
  item,
  field,
  scope,
  speech,
  figures,
  typed,
  errors,
  testId,
  set,
  leave,
}: RowProps & { field: FieldNode }) {
  const { propertyName: name } = field;
  const value = typed && Object.hasOwn(typed, name) ? typed[name] : item.initial[name];
  const label = speech.text(field.label, field.values, scope) || name;
  if (isShownOnly(field)) {
    const shown = figures && Object.hasOwn(figures, name) ? figures[name] : value;
    return speech.format(shown, typeof shown === 'boolean' ? 'yes-no' : 'text') || '–';
  }
  const id = `${rowId}-${name}`;
  const error = errors[name];
  const wrong = error && describe(error, field, scope, speech);
  const control: Control = {
    field: { ...field, testId: partId(testId, name) ?? '' },
    id,
    value,
    // In a column of its own each control says whose it is.
    label: `${label}, ${item.title}`,
    placeholder: '',
    hint: '',
    speech,
    isOff: false,
    isLarge: false,
    isWrong: wrong !== undefined,
    describedBy: wrong === undefined ? undefined : `${id}-error`,
    typedIn: () => undefined,
    onValue: next => set(item, field, next),
    onLeave: () => afterPress(() => leave(item.key, name)),
  };
  return (
    <>
      {!isTicked(field) && (
        <label className="visually-hidden" htmlFor={id}>
          {control.label}
        </label>
      )}
      {isTicked(field) ? drawTick(control) : drawControl(control)}
      {drawError(id, wrong)}
    </>
  );
}

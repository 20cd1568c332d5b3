import { type ReactNode, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FieldRowsNode, LayoutText, Node } from '../../shared/language/types.ts';
import { fieldsIn } from '../../shared/rules/fields.ts';
import { letterOf } from '../../shared/rules/row-letters.ts';
import { rowName } from '../../shared/rules/rows.ts';
import { interpolate } from '../../shared/rules/text.ts';
import { partId } from '../look/part-id.ts';
import { useChannel, useForm } from '../runtime/forms/form-context.ts';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import type { FormStore } from '../runtime/state/form-types.ts';
import { useText } from '../runtime/state/values.ts';

/** The fields of a row as the server has spread them: a frame of what says that it is there, and the fields. */
const partsOf = (frame: Node | undefined): readonly Node[] => (frame as { children?: readonly Node[] })?.children ?? [];

const control = 'input, select, textarea';

/**
 * The same fields several times, in rows that the user adds and removes; see the language (`rows`). A new row gets an
 * index that none had before, so that a removed row can be brought back with its values.
 */
export function FieldRows({ node, scope }: NodeProps<'field-rows'>): ReactNode {
  const form = useForm() as FormStore;
  const names = useMemo(() => node.children.map((_, index) => rowName(node.propertyName, index + 1)), [node]);
  useChannel(form.channel(names));
  const there = names.filter(name => form.read(name) === true);
  const [removed, setRemoved] = useState<string>();
  const used = useRef(new Set<string>());
  for (const name of there) used.current.add(name);
  const place = useRef<HTMLFieldSetElement>(null);
  /** Where the focus goes with the next drawing: into a row, or to the button that undoes. */
  const wanted = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    place.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = undefined;
  });
  const label = useText(node.label, node.values, scope);
  const [addText, undoText] = [useText(node.add, node.values, scope), useText(node.undoText, node.values, scope)];
  const id = useId();
  const shown = names.filter(name => there.includes(name) || name === removed);
  const write = (text: LayoutText, name: string) => {
    const before = there.filter(other => names.indexOf(other) < names.indexOf(name)).length;
    return interpolate(text, { letter: letterOf(before), number: before + 1 });
  };

  const show = (name: string) => {
    setRemoved(undefined);
    wanted.current = `[data-row="${name}"] :is(${control})`;
    form.set(name, true);
  };
  const add = () => {
    const last = Math.max(-1, ...[...used.current].map(name => names.indexOf(name)));
    const name = names[last + 1] ?? names.find(other => !there.includes(other));
    if (name === undefined) return;
    if (used.current.has(name)) clear(form, node, names.indexOf(name));
    show(name);
  };
  const remove = (name: string) => {
    setRemoved(name);
    wanted.current = '[data-undo]';
    form.set(name, undefined);
  };
  return (
    <fieldset className="rows form__wide" aria-label={label} data-testid={node.testId} ref={place}>
      {shown.map(name => {
        const index = names.indexOf(name);
        if (!there.includes(name)) {
          return (
            <p key={name} className="row quiet" role="status">
              <span id={id}>{write(node.removed, name)}</span>
              <button
                className="linkbutton"
                type="button"
                data-undo=""
                data-testid={partId(node.testId, 'undo')}
                aria-describedby={id}
                onClick={() => show(name)}
              >
                {undoText}
              </button>
            </p>
          );
        }
        return (
          <fieldset
            key={name}
            className="rows__row"
            data-row={name}
            data-testid={partId(node.testId, String(index + 1))}
          >
            <legend>{write(node.title, name)}</legend>
            <div className="form form--two">{drawNodes(partsOf(partsOf(node.children[index])[1]), scope)}</div>
            {there.length > (node.min ?? 0) && (
              <button
                className="button button--small"
                type="button"
                data-testid={partId(node.testId, `remove-${index + 1}`)}
                onClick={() => remove(name)}
              >
                <span className="button__text">{write(node.remove, name)}</span>
              </button>
            )}
          </fieldset>
        );
      })}
      {there.length < names.length && (
        <button className="button" type="button" data-testid={partId(node.testId, 'add')} onClick={add}>
          <span className="button__text">{addText}</span>
        </button>
      )}
    </fieldset>
  );
}

/** Ids of rows are reused: clears the values that a removed row left behind. */
function clear(form: FormStore, { children }: FieldRowsNode, index: number): void {
  for (const { propertyName } of fieldsIn(partsOf(partsOf(children[index])[1]))) form.set(propertyName, undefined);
}

import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { FieldNode, LayoutText } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import { readPath } from '../../../shared/rules/path.ts';
import { readLines } from '../../../shared/rules/read-lines.ts';
import { interpolate } from '../../../shared/rules/text.ts';
import { writeLines } from '../../../shared/rules/write-lines.ts';
import { partId } from '../../look/part-id.ts';
import { ListBones } from '../../look/skeleton.tsx';
import { useChannel, useForm, withForm } from '../../runtime/forms/form-context.ts';
import { formNames } from '../../runtime/forms/form-fields.ts';
import type { NodeProps } from '../../runtime/page/registry.ts';
import type { FormStore } from '../../runtime/state/form-types.ts';
import { useSpeech } from '../../runtime/state/values.ts';
import { describe } from '../field/parts.tsx';
import { TransferList } from './list.tsx';

const none: ReadonlySet<string> = new Set();

/** Lists between which the user moves selected entries; see the language (`transfer`). */
export function Transfer({ node, scope }: NodeProps<'transfer'>): ReactNode {
  const form = useForm() as FormStore;
  const speech = useSpeech();
  const fields = node.children as readonly FieldNode[];
  const names = useMemo(
    () => [...new Set([...fields.map(({ propertyName }) => propertyName), ...fields.flatMap(formNames)])],
    [fields],
  );
  useChannel(form.channel(names));
  const [selection, select] = useState<Readonly<Record<string, ReadonlySet<string>>>>({});
  const [said, say] = useState('');
  const entries = useEntries(form);
  const { entryNames } = form;
  const nameOf = useMemo(() => entryNames && ((entry: string) => entryNames.get(entry)), [entryNames]);
  const inner = withForm(form, names, scope);
  const shown = fields.filter(field => isMet(field.when, inner));
  const isOff = shown.some(({ disabledWhen }) => disabledWhen !== undefined && isMet(disabledWhen, inner));
  const labels = new Map(fields.map(field => [field, speech.text(field.label, field.values, inner)]));
  const write = (text: LayoutText, values: Readonly<Record<string, unknown>>) =>
    interpolate(text, values, readPath(scope, 'principal.locale') as string | undefined);
  const [first] = shown;
  if (!first || form.value(first.propertyName) === undefined) return <ListBones rows={5} />;

  const move = (from: FieldNode, to: FieldNode) => {
    const moving = selection[from.propertyName] ?? none;
    const [there, others] = [entries(to), entries(from)];
    const moved = others.filter(entry => moving.has(entry));
    if (moved.length === 0 || isOff) return;
    const isAdded = from !== first && to !== first;
    if (!isAdded) form.set(from.propertyName, writeLines(others.filter(entry => !moving.has(entry))));
    // What another list still has does not come back to the first one.
    const kept = new Set(
      node.also === undefined || to !== first ? [] : shown.slice(1).flatMap(one => (one === from ? [] : entries(one))),
    );
    form.set(to.propertyName, writeLines([...new Set([...there, ...moved.filter(entry => !kept.has(entry))])]));
    select({ ...selection, [from.propertyName]: none });
    say(write(node.moved, { count: moved.length, list: labels.get(to) }));
  };
  const isMove = (from: FieldNode, to: FieldNode) => from === first || to === first;
  const targets = (from: FieldNode) => shown.filter(to => to !== from && (isMove(from, to) || node.also !== undefined));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the lists are no fields of a browser's form.
    <div
      className="transfer form__wide"
      role="group"
      aria-label={speech.text(node.label, node.values, scope)}
      data-testid={node.testId}
    >
      {shown.map(field => {
        const { propertyName: name } = field;
        const error = form.error(name);
        const label = labels.get(field) ?? '';
        const selected = selection[name] ?? none;
        return (
          <TransferList
            key={name}
            id={`${form.id}-${name}`}
            testId={field.testId}
            label={label}
            entries={entries(field)}
            nameOf={nameOf}
            selected={selected}
            onSelect={next => select({ ...selection, [name]: next })}
            isOff={isOff}
            wrong={error && describe(error, field, inner, speech)}
            texts={{
              search: write(node.searchLabel, { list: label }),
              selectAll: write(node.selectAll, { list: label }),
              selected: all => write(node.selectedText, { count: selected.size, all }),
              empty: write(node.emptyText, {}),
              noMatch: write(node.noMatchText, {}),
            }}
          >
            {targets(field).map(to => (
              <button
                key={to.propertyName}
                className="button button--small"
                type="button"
                aria-disabled={isOff || selected.size === 0 || undefined}
                data-testid={partId(field.testId, `to-${to.propertyName}`)}
                onClick={() => move(field, to)}
              >
                <span className="button__text">
                  {write(isMove(field, to) ? node.move : node.also!, { list: labels.get(to) })}
                </span>
              </button>
            ))}
          </TransferList>
        );
      })}
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </div>
  );
}

/** The entries of a list, read once for each value that it has. */
function useEntries(form: FormStore): (field: FieldNode) => readonly string[] {
  const read = useRef(new Map<string, { readonly value: unknown; readonly entries: readonly string[] }>());
  return ({ propertyName }) => {
    const value = form.value(propertyName);
    let known = read.current.get(propertyName);
    if (!known || known.value !== value) {
      known = { value, entries: readLines(value) };
      read.current.set(propertyName, known);
    }
    return known.entries;
  };
}

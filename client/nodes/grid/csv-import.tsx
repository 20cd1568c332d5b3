import { type ReactNode, useRef, useState } from 'react';
import type { FieldNode, GridNode } from '../../../shared/language/types.ts';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import type { Scope } from '../../runtime/state/scope.ts';
import type { Speech } from '../../runtime/state/speech.ts';
import { largestCsv, readCsvRows } from './csv-rows.ts';
import type { Item, Typing } from './typing.ts';

type CsvImportProps = {
  readonly node: GridNode;
  readonly texts: NonNullable<GridNode['fromFile']>;
  readonly scope: Scope;
  readonly speech: Speech;
  readonly items: readonly Item[];
  readonly fields: readonly FieldNode[];
  readonly typing: Typing;
  onFilled(): void;
};

/** Names of rows that are told. */
const told = 5;

/** Fills the fields of a grid from a CSV file, and says how many rows were used and which were not recognised. */
export function CsvImport({ node, texts, scope, speech, items, fields, typing, onFilled }: CsvImportProps): ReactNode {
  const file = useRef<HTMLInputElement>(null);
  const [said, say] = useState('');
  const write = (text: GridNode['label'], values: Readonly<Record<string, string | number>>): string =>
    speech.text(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])), scope);

  async function read(): Promise<void> {
    const [chosen] = file.current?.files ?? [];
    if (!chosen) return;
    const text = chosen.size <= largestCsv ? await chosen.text() : '';
    const labelOf = (field: FieldNode) => speech.text(field.label, field.values, scope);
    const { values, count, unknown } = readCsvRows(text, items, fields, labelOf);
    for (const { item, field, value } of values) {
      typing.set(item, field, value);
      typing.leave(item.key, field.propertyName);
    }
    onFilled();
    const names = unknown.slice(0, told).join(', ') + (unknown.length > told ? ' …' : '');
    const parts = [write(texts.used, { count }), unknown.length > 0 && write(texts.unknown, { names })];
    say(parts.filter(Boolean).join(' '));
    // The same file, mended, is another.
    if (file.current) file.current.value = '';
  }

  return (
    <>
      <button
        className="button"
        type="button"
        data-testid={partId(node.testId, 'from-file')}
        onClick={() => file.current?.click()}
      >
        <Icon name="upload" />
        <span className="button__text">{write(texts.button, {})}</span>
      </button>
      <input
        ref={file}
        type="file"
        accept=".csv,.txt,text/csv"
        hidden
        data-testid={partId(node.testId, 'file')}
        onChange={() => void read()}
      />
      <span role="status" className="quiet" data-testid={partId(node.testId, 'used')}>
        {said}
      </span>
    </>
  );
}

import { type ReactNode, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FieldNode, GridNode } from '../../../shared/language/types.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import type { Values } from '../../../shared/rules/grid.ts';
import { readPath } from '../../../shared/rules/path.ts';
import { searchKey } from '../../../shared/rules/search-key.ts';
import { isShownOnly } from '../../../shared/rules/validation.ts';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { ListBones } from '../../look/skeleton.tsx';
import { useRows } from '../../runtime/data/rows.ts';
import { usePlace } from '../../runtime/effects/navigation.tsx';
import { Trouble } from '../../runtime/effects/trouble.tsx';
import type { NodeProps } from '../../runtime/page/registry.ts';
import { TabList } from '../../runtime/page/tab-list.tsx';
import { type Row, withRow } from '../../runtime/state/scope.ts';
import { useSpeech } from '../../runtime/state/values.ts';
import { textOf } from '../field/control.tsx';
import { Pager } from '../table/pager.tsx';
import { roles } from '../table/roles.ts';
import { CsvImport } from './csv-import.tsx';
import { GridRow } from './row.tsx';
import { type Item, useTyping } from './typing.ts';

/** Rows of a page; the first is the default. */
const sizes = [25, 50, 100] as const;

/** What is so of items, by their keys. */
type Figures = Readonly<Record<string, Values>>;

function itemsOf({ key, titlePath: title, initial }: GridNode, rows: readonly Row[] | undefined): Item[] {
  return (rows ?? []).map(row => {
    const name = textOf(readPath({ row }, title));
    const first = initial === undefined ? row : readPath({ row }, initial);
    return { key: String(row[key]), title: name, words: searchKey(name), initial: (first ?? {}) as Row };
  });
}

/** Shows the same form fields for each of many rows, with a search and pages; see the language (`grid`). */
export function Grid({ node, scope }: NodeProps<'grid'>): ReactNode {
  const speech = useSpeech();
  const id = useId();
  const source = useRows(node.rows, scope);
  const items = useMemo(() => itemsOf(node, source.rows), [node, source.rows]);
  const fields = useMemo<readonly FieldNode[]>(() => fieldsIn(node.fields), [node]);
  const typedFields = useMemo(() => fields.filter(field => !isShownOnly(field)), [fields]);
  const figures = node.figures === undefined ? undefined : readPath(scope, node.figures);
  const block = useRef<HTMLDivElement>(null);
  const [words, setWords] = useState('');
  const paging = useMemo(
    () => ({ page: `state.${node.id}Page`, size: `state.${node.id}Size`, sizes: [...sizes], total: 'row.Total' }),
    [node.id],
  );
  const [page, setPage] = usePlace(paging.page);
  const [sizeChosen] = usePlace(paging.size);
  const size = Number(sizeChosen) || sizes[0];
  const isPaged = items.length > sizes[0];
  /** Those that were wrong when they were asked for: a row stays while it is put right. */
  const [only, setOnly] = useState<ReadonlySet<string>>();
  /** Inputs keep what is typed in them: once a file has filled them they are made anew. */
  const [filled, setFilled] = useState(0);
  const wantsFocus = useRef(false);
  const showWrong = (wrong: readonly string[]) => {
    if (isPaged) setOnly(new Set(wrong));
    setWords('');
    setPage(undefined);
    wantsFocus.current = true;
  };
  const typing = useTyping(node, items, typedFields, showWrong);
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    // A field of its own that is wrong stands above, and has the focus.
    if (!typing.isLed()) block.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });

  const say = (text: GridNode['label'] | undefined) => speech.text(text, node.values, scope);
  if (source.rows === undefined) {
    if (source.failed !== undefined) return <Trouble of={source} />;
    return source.isLate && <ListBones rows={8} />;
  }
  const wanted = searchKey(words.trim());
  const found = items.filter(item => (only?.has(item.key) ?? true) && item.words.includes(wanted));
  // What is left may have fewer pages.
  const at = Math.max(1, Math.min(Number(page) || 1, Math.ceil(found.length / size)));
  const from = (at - 1) * size;
  const shown = found.slice(from, from + size);
  const figuresOf = ({ key }: Item) => (figures as Figures | undefined)?.[key];
  // Figures stand at the end of their column, as in a table.
  const classOf = (name: string) =>
    shown.some(item => Object.hasOwn(figuresOf(item) ?? {}, name)) ? 'cell-num' : undefined;
  const label = say(node.label);
  const tabs = [
    { value: 'all', text: say(node.all), count: speech.format(items.length, 'number') },
    { value: 'wrong', text: say(node.wrong), count: speech.format(typing.wrong.length, 'number') },
  ];
  return (
    <div ref={block} className="grid form__wide" data-testid={node.testId}>
      <div className="grid__bar">
        {node.propertyName !== undefined && node.wrong !== undefined && (
          <TabList
            label={label}
            items={tabs.map(tab => ({ ...tab, testId: partId(node.testId, tab.value) }))}
            selected={only ? 'wrong' : 'all'}
            id={id}
            hasPanel={false}
            onSelect={value => {
              setOnly(value === 'wrong' ? new Set(typing.wrong) : undefined);
              setPage(undefined);
            }}
          />
        )}
        {node.propertyName !== undefined && node.fromFile && (
          <CsvImport
            node={node}
            texts={node.fromFile}
            scope={scope}
            speech={speech}
            items={items}
            fields={typedFields}
            typing={typing}
            onFilled={() => setFilled(count => count + 1)}
          />
        )}
        {isPaged && (
          <div className="search">
            <label className="visually-hidden" htmlFor={`${id}-search`}>
              {say(node.searchLabel)}
            </label>
            <Icon name="search" />
            <input
              className="input"
              id={`${id}-search`}
              type="search"
              placeholder={say(node.searchLabel)}
              value={words}
              maxLength={200}
              data-testid={partId(node.testId, 'search')}
              onChange={event => {
                setWords(event.target.value);
                setPage(undefined);
              }}
              onKeyDown={event => {
                if (event.key === 'Enter') event.preventDefault();
              }}
            />
          </div>
        )}
      </div>
      {found.length === 0 && <p className="quiet">{say(node.noMatchText)}</p>}
      {found.length > 0 && (
        <div className="table-block">
          <table className="table" {...roles.table} aria-label={label}>
            <thead {...roles.group}>
              <tr {...roles.row}>
                <th {...roles.columnHeader} scope="col" className="cell-lead">
                  {say(node.heading)}
                </th>
                {fields.map(field => (
                  <th
                    key={field.propertyName}
                    {...roles.columnHeader}
                    scope="col"
                    className={classOf(field.propertyName)}
                  >
                    {speech.text(field.label, field.values, scope) || field.propertyName}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody {...roles.group}>
              {shown.map(item => (
                <GridRow
                  key={`${item.key} ${filled}`}
                  id={`${id}-${item.key}`}
                  item={item}
                  fields={fields}
                  scope={scope}
                  speech={speech}
                  figures={figuresOf(item)}
                  classOf={classOf}
                  typed={typing.typed.get(item.key)}
                  errors={typing.errorsOf(item.key)}
                  testId={partId(node.testId, item.key)}
                  set={typing.set}
                  leave={typing.leave}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isPaged && (
        <Pager
          node={{ paging, ...(node.testId && { testId: node.testId }) }}
          scope={withRow(scope, { Total: found.length })}
          shown={shown.length}
          block={block}
        />
      )}
    </div>
  );
}

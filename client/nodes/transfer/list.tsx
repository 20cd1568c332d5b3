import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { searchKey } from '../../../shared/rules/search-key.ts';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { drawError } from '../field/parts.tsx';

/** Height of a list at most, and of an entry without a name and with one, in pixels. */
const [listHeight, lineHeight, namedHeight] = [324, 36, 54];
/** Entries drawn beyond what is seen. */
const beyond = 10;

type TransferListProps = {
  /** Where the focus goes when the list is wrong. */
  readonly id: string;
  readonly testId: string | undefined;
  readonly label: string;
  readonly entries: readonly string[];
  /** What an entry is called, shown above it; absent where entries have no names. */
  readonly nameOf: ((entry: string) => string | undefined) | undefined;
  readonly selected: ReadonlySet<string>;
  readonly isOff: boolean;
  readonly wrong: string | undefined;
  readonly texts: {
    readonly search: string;
    readonly selectAll: string;
    selected(all: number): string;
    readonly empty: string;
    readonly noMatch: string;
  };
  onSelect(selected: ReadonlySet<string>): void;
  /** What moves those that are selected. */
  readonly children: ReactNode;
};

/**
 * One of the lists of a `transfer` node: a search, a checkbox for all that it finds, and the entries near the visible
 * part.
 */
export function TransferList(props: TransferListProps): ReactNode {
  const { id, testId, label, entries, nameOf, selected, isOff, wrong, texts, onSelect, children } = props;
  const [words, setWords] = useState('');
  const found = useMemo(() => {
    const wanted = searchKey(words.trim());
    const isFound = (entry: string) => searchKey(`${nameOf?.(entry) ?? ''} ${entry}`).includes(wanted);
    return wanted === '' ? entries : entries.filter(isFound);
  }, [entries, words, nameOf]);
  const count = useMemo(() => found.filter(entry => selected.has(entry)).length, [found, selected]);
  const isAll = count > 0 && count === found.length;
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && !isAll;
  });
  const labelId = useId();
  const change = (those: readonly string[], isOn: boolean) => {
    const next = new Set(selected);
    for (const entry of those) {
      if (isOn) next.add(entry);
      else next.delete(entry);
    }
    onSelect(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: no group of fields.
    <div className="transfer__list" role="group" aria-labelledby={labelId} data-testid={testId}>
      <div className="transfer__head">
        <label className="check">
          <input
            ref={box}
            type="checkbox"
            aria-label={texts.selectAll}
            checked={isAll}
            disabled={isOff || found.length === 0}
            data-testid={partId(testId, 'all')}
            onChange={() => change(found, !isAll)}
          />
          <b id={labelId}>{label}</b>
        </label>
        <span className="quiet">{texts.selected(entries.length)}</span>
      </div>
      <div className="search">
        <Icon name="search" />
        <input
          className="input"
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={words}
          maxLength={200}
          disabled={isOff}
          data-testid={partId(testId, 'search')}
          onChange={event => setWords(event.target.value)}
          onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
        />
      </div>
      <Entries
        id={id}
        testId={testId}
        label={label}
        found={found}
        nameOf={nameOf}
        selected={selected}
        isOff={isOff}
        isWrong={wrong !== undefined}
        said={entries.length === 0 ? texts.empty : texts.noMatch}
        change={change}
        toggleAll={() => change(found, !isAll)}
      />
      {drawError(id, wrong)}
      <div className="transfer__move">{children}</div>
    </div>
  );
}

type EntriesProps = Pick<TransferListProps, 'id' | 'testId' | 'label' | 'nameOf' | 'selected' | 'isOff'> & {
  readonly found: readonly string[];
  readonly isWrong: boolean;
  /** Said where there are none. */
  readonly said: string;
  change(those: readonly string[], isOn: boolean): void;
  toggleAll(): void;
};

/** The entries as a listbox of which many can be selected; the keys are those of WAI-ARIA's pattern. */
function Entries({
  id,
  testId,
  label,
  found,
  nameOf,
  selected,
  isOff,
  isWrong,
  said,
  change,
  toggleAll,
}: EntriesProps) {
  const place = useRef<HTMLDivElement>(null);
  const entryHeight = nameOf ? namedHeight : lineHeight;
  const page = Math.floor(listHeight / entryHeight);
  const [top, setTop] = useState(0);
  const [wanted, setActive] = useState(0);
  const active = Math.min(wanted, found.length - 1);
  /** The one that a range begins at. */
  const anchor = useRef(0);
  // Fewer entries than before scroll the list by themselves.
  const first = Math.max(0, Math.min(Math.floor(top / entryHeight), found.length - page) - beyond);
  const last = Math.min(found.length, first + page + 2 * beyond + 1);

  const goTo = (index: number) => {
    const next = Math.max(0, Math.min(index, found.length - 1));
    setActive(next);
    const list = place.current;
    if (!list) return;
    const [from, to] = [next * entryHeight, (next + 1) * entryHeight];
    if (from < list.scrollTop) list.scrollTop = from;
    else if (to > list.scrollTop + list.clientHeight) list.scrollTop = to - list.clientHeight;
    setTop(list.scrollTop);
  };
  const toggle = (index: number, isRange: boolean) => {
    const entry = found[index];
    if (isOff || entry === undefined) return;
    if (isRange) change(found.slice(Math.min(anchor.current, index), Math.max(anchor.current, index) + 1), true);
    else {
      change([entry], !selected.has(entry));
      anchor.current = index;
    }
  };
  const press = (event: KeyboardEvent) => {
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: found.length - 1,
    };
    const next = targets[event.key];
    if (next !== undefined) {
      goTo(next);
      if (event.shiftKey) toggle(Math.max(0, Math.min(next, found.length - 1)), true);
    } else if (event.key === ' ') toggle(active, event.shiftKey);
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) isOff || toggleAll();
    else return;
    event.preventDefault();
  };
  if (found.length === 0) return <p className="transfer__entries transfer__none quiet">{said}</p>;
  return (
    <div
      ref={place}
      id={id}
      className="transfer__entries"
      style={{ maxHeight: listHeight }}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={active >= first && active < last ? `${id}-${active}` : undefined}
      aria-disabled={isOff || undefined}
      aria-invalid={isWrong || undefined}
      aria-describedby={isWrong ? `${id}-error` : undefined}
      data-testid={partId(testId, 'entries')}
      onScroll={event => setTop(event.currentTarget.scrollTop)}
      onKeyDown={press}
    >
      <div role="presentation" style={{ height: found.length * entryHeight }}>
        <div role="presentation" style={{ transform: `translateY(${first * entryHeight}px)` }}>
          {found.slice(first, last).map((entry, index) => {
            const at = first + index;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys.
              // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus.
              <div
                key={entry}
                id={`${id}-${at}`}
                className={at === active ? 'transfer__entry is-active' : 'transfer__entry'}
                role="option"
                aria-selected={selected.has(entry)}
                aria-setsize={found.length}
                aria-posinset={at + 1}
                style={{ height: entryHeight }}
                onClick={event => {
                  setActive(at);
                  toggle(at, event.shiftKey);
                }}
              >
                <span className="transfer__tick" aria-hidden="true">
                  {selected.has(entry) && <Icon name="check" />}
                </span>
                <span className="transfer__text">
                  {nameOf && <b className="transfer__name">{nameOf(entry) ?? ''}</b>}
                  {entry}
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

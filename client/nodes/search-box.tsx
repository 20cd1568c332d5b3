import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { isMet } from '../../shared/rules/condition.ts';
import { readPath } from '../../shared/rules/path.ts';
import { entryFor } from '../look/catalogue-entry.ts';
import { Icon } from '../look/icon.tsx';
import { addStyles } from '../look/late-styles.ts';
import { partId } from '../look/part-id.ts';
import { StatusMark } from '../look/status-mark.tsx';
import { useRows } from '../runtime/data/rows.ts';
import { usePlace } from '../runtime/effects/navigation.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { withRow } from '../runtime/state/scope.ts';
import { useSpeech } from '../runtime/state/values.ts';
import { moved, OptionList } from './option-list.tsx';

addStyles(`
  .combobox__more { padding: var(--s-2) var(--s-3); color: var(--text-2); font-size: var(--t-s); white-space: normal; }
  .chip--search { position: relative; }
  .chip--search > .input, .chip--search > .input:focus-visible { width: 9rem; height: 100%; padding: 0; border: 0; outline: 0; background: none; text-overflow: ellipsis; }
  .chip--search:focus-within { outline: 2px solid var(--focus); outline-offset: 2px; }
  .chip--search > .combobox__panel { position: absolute; inset-block-start: calc(100% + 4px); inset-inline-start: 0; z-index: var(--z-menu); background: var(--raised); border-radius: var(--r-l); box-shadow: var(--shadow-menu); min-width: 100%; max-width: min(24rem, 90vw); }
  .chip--search .options { box-shadow: none; }
  .chip--search > .field__error { position: absolute; inset-block-start: calc(100% + 4px); inset-inline-start: 0; z-index: var(--z-menu); padding: var(--s-2) var(--s-3); background: var(--raised); border-radius: var(--r-l); box-shadow: var(--shadow-menu); }
`);

type SearchBoxProps = NodeProps<'combobox'> & {
  /** Drawn as a filter above a list: what else a filter has. */
  readonly filter?: { readonly resets: readonly string[] | undefined; readonly chosen: string };
};

/** Milliseconds of a pause in typing before the server is asked (document 1, section 9). */
const pause = 200;

type Option = {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly isMarked: boolean;
  readonly isOff: boolean;
  readonly status: ReactNode;
};

/** The rows as options. */
function useOptions({ node, scope }: NodeProps<'combobox'>) {
  const source = useRows(node.rows, scope);
  const speech = useSpeech();
  const options = source.rows?.map((row): Option => {
    const inner = withRow(scope, row);
    const read = (path: string | undefined) => (path === undefined ? undefined : readPath(inner, path));
    const entry = entryFor(node.catalogue, read(node.status));
    return {
      key: String(row[node.key]),
      title: speech.format(read(node.titlePath), 'text'),
      detail: speech.format(read(node.detail), 'text'),
      isMarked: read(node.markPath) === true,
      isOff: node.disabledWhen !== undefined && isMet(node.disabledWhen, inner),
      status: entry && (
        <StatusMark text={speech.text(entry.text, undefined, inner)} kind={entry.kind} moving={entry.moving} />
      ),
    };
  });
  return { ...source, options };
}

/**
 * One item of a list that a search on the server narrows. Arrows move, Enter chooses, Escape closes the list (ARIA
 * Authoring Practices, editable combobox with list autocomplete). Typing takes the choice back.
 */
export function SearchBox({ node, scope, filter }: SearchBoxProps): ReactNode {
  const id = useId();
  const speech = useSpeech();
  const [value, choose] = usePlace(node.path, filter?.resets);
  const [words, setWords] = usePlace(node.searchPath);
  const { options, loading, failed } = useOptions({ node, scope });
  const [own, setTyped] = useState(words ? String(words) : undefined);
  const [taken, setTaken] = useState<Option>();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const list = useRef<HTMLDivElement>(null);
  const total = node.totalPath === undefined ? undefined : Number(readPath(scope, node.totalPath));
  const title = taken?.key === value ? taken?.title : speech.format(filter && readPath(scope, filter.chosen), 'text');
  const typed = own ?? (value ? (title ?? '') : '');
  const asked = own === undefined ? '' : own.trim();

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once typing has paused; a choice is no question.
  useEffect(() => {
    if (value || asked === (words ?? '')) return;
    const timer = setTimeout(() => setWords(asked), pause);
    return () => clearTimeout(timer);
  }, [asked, value]);

  const take = (option: Option | undefined) => {
    if (!option || option.isOff) return;
    choose(option.key);
    setTaken(option);
    setTyped(undefined);
    setOpen(false);
  };
  const move = (by: 1 | -1) => {
    setOpen(true);
    setActive(moved(active, by, options?.length ?? 0));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && isOpen) take(options?.[active]);
    else if (event.key === 'Escape' && isOpen) {
      // The dialog around it stays.
      event.stopPropagation();
      setOpen(false);
    } else return;
    event.preventDefault();
  };
  const say = (text: Parameters<typeof speech.text>[0]) => speech.text(text, node.values, scope);
  const label = say(node.label);
  const more = total !== undefined && options && total > options.length ? total - options.length : 0;
  const note = more > 0 ? speech.word('filter.more', { count: more }) : '';
  const isNone = !value && !loading && (!filter || isOpen) && options?.length === 0 && asked === (words ?? '');
  const isShown = isOpen && options !== undefined && options.length > 0;
  return (
    <div className={filter ? `chip chip--search${value ? ' chip--on' : ''}` : 'field'}>
      <label className={filter ? undefined : 'field__label'} htmlFor={id}>
        {filter ? `${label}:` : label}
      </label>
      <input
        id={id}
        className="input"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        aria-describedby={isNone ? `${id}-none` : undefined}
        aria-busy={loading || undefined}
        placeholder={say(node.placeholder)}
        value={typed}
        maxLength={200}
        data-testid={node.testId}
        onChange={event => {
          setTyped(event.target.value);
          setOpen(true);
          setActive(-1);
          if (value) choose(undefined, { replace: true });
        }}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          // Of a filter, what is typed and not chosen narrows nothing and must not look as if it did.
          if (filter) setTyped(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      {isShown && (
        <div className="combobox__panel">
          <OptionList
            id={id}
            label={label}
            options={options}
            active={active}
            selected={String(value ?? '')}
            list={list}
            testIdOf={({ key }) => partId(node.testId, key)}
            onTake={take}
          >
            {({ title, detail, isMarked, status }) => (
              <>
                <span className="list__text">
                  <span>{title}</span>
                  {detail && <small>{detail}</small>}
                </span>
                {isMarked && (
                  <span className="badge badge--ok">
                    <Icon name="check" />
                    {say(node.markText)}
                  </span>
                )}
                {status}
              </>
            )}
          </OptionList>
          {note && <p className="combobox__more">{note}</p>}
        </div>
      )}
      <p className={isNone || failed ? 'field__error' : 'visually-hidden'} id={`${id}-none`} role="status">
        {failed ?? (isNone ? say(node.emptyText) : isShown ? note : '')}
      </p>
    </div>
  );
}

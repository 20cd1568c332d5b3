import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { moved, OptionList } from '../option-list.tsx';
import type { Option } from './state.ts';

type BoxProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly selected: string | null;
  /** What the selected option is called. */
  readonly title: string;
  readonly isOff: boolean;
  readonly testId: string | undefined;
  readonly noOption: string;
  more(count: number): string;
  find(words: string): { readonly shown: readonly Option[]; readonly more: number };
  onTake(option: Option): void;
};

/**
 * The combobox in which the user finds an item's option by typing. Arrows move, Enter takes, Escape or leaving discards
 * what was typed (ARIA Authoring Practices, editable combobox with list autocomplete).
 */
export function MatchBox(props: BoxProps): ReactNode {
  const { label, placeholder, selected, title, isOff, testId, noOption, more, find, onTake } = props;
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const found = isOpen ? find(typed ?? '') : { shown: [], more: 0 };

  // A list at the end of the window opens above its input.
  useLayoutEffect(() => {
    if (!isOpen || !list.current || !input.current) return;
    const { bottom, top } = input.current.getBoundingClientRect();
    const room = window.innerHeight - bottom;
    list.current.classList.toggle('is-up', room < list.current.offsetHeight && top > room);
  });

  const close = () => {
    setOpen(false);
    setTyped(undefined);
    setActive(-1);
  };
  const take = (option: Option | undefined) => {
    if (!option) return;
    close();
    onTake(option);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!isOpen) setOpen(true);
      else setActive(moved(active, event.key === 'ArrowDown' ? 1 : -1, found.shown.length));
    } else if (event.key === 'Enter') take(found.shown[active]);
    else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      close();
    } else return;
    event.preventDefault();
  };
  return (
    <div className="match__box">
      <input
        ref={input}
        className="input"
        role="combobox"
        autoComplete="off"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isOpen && found.shown.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        data-testid={testId}
        disabled={isOff}
        placeholder={placeholder}
        value={typed ?? title}
        maxLength={200}
        onChange={event => {
          setTyped(event.target.value);
          setOpen(true);
          setActive(event.target.value.trim() === '' ? -1 : 0);
        }}
        onClick={() => setOpen(true)}
        onFocus={event => event.target.select()}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {isOpen && found.shown.length > 0 && (
        <OptionList
          id={id}
          label={label}
          options={found.shown}
          active={active}
          selected={selected}
          list={list}
          className="match__options"
          onTake={take}
        >
          {option => option.title}
        </OptionList>
      )}
      {isOpen && (found.more > 0 || found.shown.length === 0) && (
        <p className={found.shown.length === 0 ? 'field__error' : 'visually-hidden'} role="status">
          {found.shown.length === 0 ? noOption : more(found.more)}
        </p>
      )}
    </div>
  );
}

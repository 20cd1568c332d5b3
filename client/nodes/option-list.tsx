import { type ReactNode, type RefObject, useLayoutEffect } from 'react';

type Option = { readonly key: string; readonly isOff?: boolean };

type OptionListProps<O extends Option> = {
  /** Of the list `{id}-list`, of an option `{id}-{place}`. */
  readonly id: string;
  readonly label: string;
  readonly options: readonly O[];
  /** Place of the option that Enter would take; -1 for none. */
  readonly active: number;
  readonly selected: string | null | undefined;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly className?: string;
  testIdOf?(option: NoInfer<O>): string | undefined;
  onTake(option: NoInfer<O>): void;
  /** What is drawn of an option. */
  children(option: NoInfer<O>): ReactNode;
};

/** The list of options below a combobox; the input keeps the focus and handles the keys (ARIA Authoring Practices). */
export function OptionList<O extends Option>(props: OptionListProps<O>): ReactNode {
  const { id, label, options, active, selected, list, className = '', testIdOf, onTake, children } = props;
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [list, active]);
  return (
    <div className={`options ${className}`.trim()} ref={list} id={`${id}-list`} role="listbox" aria-label={label}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input has focus and keys.
        <div
          key={option.key}
          id={`${id}-${index}`}
          className={index === active ? 'option is-active' : 'option'}
          role="option"
          tabIndex={-1}
          aria-selected={option.key === selected}
          aria-disabled={option.isOff || undefined}
          data-testid={testIdOf?.(option)}
          onPointerDown={event => event.preventDefault()}
          onClick={() => onTake(option)}
        >
          {children(option)}
        </div>
      ))}
    </div>
  );
}

/**
 * Gives the index of the option above (`by` -1) or below (`by` 1) the `active` one of `count`; wraps round at the ends.
 */
export function moved(active: number, by: 1 | -1, count: number): number {
  return count === 0 ? active : (active + by + count + (active < 0 && by < 0 ? 1 : 0)) % count;
}

import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../look/icon.tsx';
import { usePlace } from '../runtime/navigation.tsx';
import type { NodeProps } from '../runtime/registry.ts';
import { useText } from '../runtime/values.ts';

/** The list asks again when typing has paused for this long, in milliseconds. */
const pause = 200;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** A search box whose words are kept in a place. `/` leads to it from anywhere on the page. */
export function Search({ node, scope }: NodeProps<'search'>): ReactNode {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [value, set] = usePlace(node.path, node.resets);
  const [typed, setTyped] = useState<string>();
  const label = useText(node.label, node.values, scope);
  const placeholder = useText(node.placeholder ?? node.label, node.values, scope);

  const commit = (text: string) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    set(text === '' ? undefined : text, { replace: true });
  };

  // What the address says wins, unless one is typing just now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the place changes.
  useEffect(() => {
    if (timer.current === undefined) setTyped(undefined);
  }, [value]);

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      box.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => {
      document.removeEventListener('keydown', focus);
      clearTimeout(timer.current);
    };
  }, []);

  return (
    <div className="search">
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <Icon name="search" />
      <input
        ref={box}
        className="input"
        id={id}
        type="search"
        placeholder={placeholder}
        value={typed ?? value?.toString() ?? ''}
        maxLength={200}
        data-testid={node.testId}
        onChange={event => {
          const text = event.target.value;
          setTyped(text);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => commit(text), pause);
        }}
        onKeyDown={event => {
          if (event.key === 'Enter') commit(event.currentTarget.value);
        }}
      />
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a hint takes no focus. */}
      <kbd className="key" aria-hidden="true">
        /
      </kbd>
    </div>
  );
}

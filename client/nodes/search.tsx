import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../look/icon.tsx';
import { usePlace } from '../runtime/effects/navigation.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText } from '../runtime/state/values.ts';

/** The list asks again when typing has paused for this long, in milliseconds. */
const pause = 200;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

type BoxProps = {
  readonly id: string;
  readonly box: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly placeholder: string;
  readonly testId: string | undefined;
  readonly onWords: (words: string) => void;
};

/** The input: what is typed stays here until typing pauses, so that a key draws nothing else. */
function Box({ id, box, value, placeholder, testId, onWords }: BoxProps): ReactNode {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [typed, setTyped] = useState<string>();

  const commit = (text: string) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    onWords(text.trim());
  };

  // The address wins, unless one is typing just now or it has the same words.
  useEffect(() => {
    if (timer.current === undefined) setTyped(typed => (typed?.trim() === value ? typed : undefined));
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <input
      ref={box}
      className="input"
      id={id}
      type="search"
      placeholder={placeholder}
      value={typed ?? value}
      maxLength={200}
      data-testid={testId}
      onChange={event => {
        const text = event.target.value;
        setTyped(text);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => commit(text), pause);
      }}
      onKeyDown={event => {
        if (event.key === 'Enter') commit(event.currentTarget.value);
      }}
      // What is pressed next goes by what was typed.
      onBlur={event => timer.current === undefined || commit(event.target.value)}
    />
  );
}

/**
 * A search box; its words are kept in the address or the page's state. The key `/` moves the focus to it from anywhere.
 */
export function Search({ node, scope }: NodeProps<'search'>): ReactNode {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [value, set] = usePlace(node.path, node.resets);
  const label = useText(node.label, node.values, scope);
  const placeholder = useText(node.placeholder ?? node.label, node.values, scope);

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      box.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);

  return (
    <div className="search">
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <Icon name="search" />
      <Box
        id={id}
        box={box}
        value={value?.toString() ?? ''}
        placeholder={placeholder}
        testId={node.testId}
        onWords={words => set(words === '' ? undefined : words, { replace: true })}
      />
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a hint takes no focus. */}
      <kbd className="key" aria-hidden="true">
        /
      </kbd>
    </div>
  );
}

import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FieldNode, GridNode } from '../../../shared/language/types.ts';
import {
  checkRow,
  type RowErrors,
  readGrid,
  type Typed,
  type Values,
  withValue,
  writeGrid,
} from '../../../shared/rules/grid.ts';
import type { FieldError } from '../../../shared/rules/validation.ts';
import { useChannel, useForm } from '../../runtime/forms/form-context.ts';
import { testPattern } from '../../runtime/forms/pattern.ts';
import type { GridValidator } from '../../runtime/state/form-types.ts';

export type Item = {
  readonly key: string;
  readonly title: string;
  /** The title for comparing. */
  readonly words: string;
  readonly initial: Values;
};

/** What is shown to be wrong with the values of an item, by their names. */
export type ShownErrors = Readonly<Record<string, FieldError | string>>;

export type Typing = {
  readonly typed: Typed;
  /** Keys of the items that need a correction, whether or not it is shown yet. */
  readonly wrong: readonly string[];
  errorsOf(key: string): ShownErrors;
  /** True when a field of the form before this one has what is wrong first. */
  isLed(): boolean;
  set(item: Item, field: FieldNode, value: unknown): void;
  leave(key: string, name: string): void;
};

const none: Typed = new Map();
const noErrors: RowErrors = {};
const silent: readonly string[] = [];

/**
 * Keeps what is typed in a grid in the value of its form, and validates it. Gives what is typed, the keys of the items
 * that are wrong, the errors to show for an item (once a field was left or the form was sent), and the functions to set
 * and to leave a field. Calls `showWrong` with the keys of wrong items when the form is sent or the server refuses
 * them.
 */
export function useTyping(
  node: GridNode,
  items: readonly Item[],
  fields: readonly FieldNode[],
  showWrong: (keys: readonly string[]) => void,
): Typing {
  const form = useForm();
  const name = node.propertyName;
  useChannel(name === undefined ? undefined : form?.channel(name));
  const text = name === undefined ? undefined : form?.value(name);
  /** What was written last: its rows stay the same objects, so that only what was typed in is validated again. */
  const [memory] = useState(() => ({
    text: undefined as unknown,
    typed: none,
    validated: new Map<string, { initial: Values; typed: Values | undefined; errors: RowErrors }>(),
    refused: new Map<string, string>(),
  }));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isSent, setSent] = useState(false);
  if (memory.text !== text) {
    memory.text = text;
    memory.typed = readGrid(text) ?? none;
  }
  const { typed } = memory;

  const write = (next: Typed) => {
    if (name === undefined) return;
    memory.typed = next;
    memory.text = writeGrid(next);
    form?.set(name, memory.text);
  };

  const wrong = useMemo(() => {
    if (name === undefined) return silent;
    return items
      .filter(({ key, initial }) => {
        const before = memory.validated.get(key);
        const own = typed.get(key);
        if (before?.initial === initial && before.typed === own) return before.errors !== noErrors;
        const { errors } = checkRow(fields, initial, own, testPattern);
        const isRight = Object.keys(errors).length === 0;
        memory.validated.set(key, { initial, typed: own, errors: isRight ? noErrors : errors });
        return !isRight;
      })
      .map(({ key }) => key);
  }, [name, items, fields, typed, memory]);

  // Items that are there no longer have nothing that could be sent.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed later is of an item that is there.
  useLayoutEffect(() => {
    const keys = new Set(items.map(({ key }) => key));
    if (items.length > 0 && [...typed.keys()].some(key => !keys.has(key)))
      write(new Map([...typed].filter(([key]) => keys.has(key))));
  }, [items]);

  const latest = useRef({ wrong, showWrong });
  latest.current = { wrong, showWrong };
  useLayoutEffect(() => {
    if (name === undefined || !form) return undefined;
    const validator: GridValidator = {
      check() {
        setSent(true);
        memory.refused.clear();
        const { wrong, showWrong } = latest.current;
        if (wrong.length > 0) showWrong(wrong);
        return wrong.length === 0;
      },
      refuse(path, said) {
        memory.refused.set(path.slice(name.length + 1), said);
        latest.current.showWrong([...memory.refused.keys()].map(refused => refused.split('.')[0] as string));
        // What was said is drawn, wherever it stands.
        setLeft(before => new Set(before));
        return true;
      },
    };
    form.validators.set(name, validator);
    return () => {
      if (form.validators.get(name) === validator) form.validators.delete(name);
    };
  }, [form, name, memory]);

  return {
    typed,
    wrong,
    errorsOf(key) {
      const errors = Object.entries(memory.validated.get(key)?.errors ?? noErrors);
      const shown = errors.filter(([field]) => isSent || left.has(`${key}.${field}`));
      const refused = [...memory.refused].filter(([path]) => path.startsWith(`${key}.`));
      return Object.fromEntries([...shown, ...refused.map(([path, said]) => [path.slice(key.length + 1), said])]);
    },
    isLed: () => form?.firstWrong() !== undefined,
    set(item, field, value) {
      memory.refused.delete(`${item.key}.${field.propertyName}`);
      write(withValue(memory.typed, item.key, item.initial, field, value));
    },
    leave: (key, field) => setLeft(before => new Set(before).add(`${key}.${field}`)),
  };
}

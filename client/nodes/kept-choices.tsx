import { type ReactNode, useEffect, useMemo } from 'react';
import { usePlace } from '../runtime/effects/navigation.tsx';
import { useFormScope } from '../runtime/forms/form-context.ts';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';

/** Milliseconds without a further choice after which what follows from the choices is asked. */
const pause = 150;
const kinds: readonly unknown[] = ['checkbox', 'switch', 'radio', 'select', 'date'];

/** Names of the fields of choices in a tree of nodes. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (value === null || typeof value !== 'object') return [];
  const node = value as Readonly<Record<string, unknown>>;
  if (node.type === 'field') return kinds.includes(node.kind) ? [String(node.propertyName)] : [];
  return namesIn(Object.values(node));
}

/** Fields of which what is chosen is kept at a place; see the language (`kept-choices`). */
export function KeptChoices({ node, scope }: NodeProps<'kept-choices'>): ReactNode {
  const names = useMemo(() => [...new Set(namesIn(node.children))].sort(), [node]);
  const { form = {} } = useFormScope(names, scope) as { form?: Readonly<Record<string, unknown>> };
  const [, keep] = usePlace(node.path);
  const chosen = new URLSearchParams(
    names.flatMap(name => {
      const value = form[name];
      return value === undefined || value === null || value === '' ? [] : [[name, String(value)]];
    }),
  ).toString();
  useEffect(() => {
    const timer = setTimeout(() => keep(chosen, { replace: true }), pause);
    return () => clearTimeout(timer);
  }, [keep, chosen]);
  return drawNodes(node.children, scope);
}

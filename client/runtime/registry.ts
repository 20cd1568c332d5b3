import type { ComponentType } from 'react';
import type { NodeType } from '../../shared/language/nodes.ts';
import type { Node, NodeByType } from '../../shared/language/types.ts';
import { brought } from './lazy-component.tsx';
import type { Scope } from './scope.ts';

/** What every node component is given: its node of the layout and where it stands. */
export type NodeProps<T extends NodeType> = { readonly node: NodeByType[T]; readonly scope: Scope };

type Entry = {
  readonly component: ComponentType<{ readonly node: { readonly type: string }; readonly scope: Scope }>;
  /** True where the component takes the place of `NodeView`. */
  readonly isView: boolean;
};

const entries = new Map<string, Entry>();

/** Draws nodes of this type with the component. */
export function register<T extends NodeType>(type: T, component: ComponentType<NodeProps<T>>): void {
  entries.set(type, { component: component as Entry['component'], isView: false });
}

/**
 * As `register`, for a class that extends `NodeView`: it is drawn whatever `when` says and listens to its form itself.
 */
export function registerView(
  type: NodeType,
  component: ComponentType<{ readonly node: Node; readonly scope: Scope }>,
): void {
  entries.set(type, { component: component as Entry['component'], isView: true });
}

/** Registers components by the type that each draws. */
export function registerAll(components: { readonly [T in NodeType]?: ComponentType<NodeProps<T>> }): void {
  for (const [type, component] of Object.entries(components)) register(type as NodeType, component as never);
}

let bring: (type: string) => Promise<unknown>;

/** Says where the component of a type comes from that is not here yet. */
export function lazyLoadNodes(load: typeof bring): void {
  bring = load;
}

/** A type that is not here yet is brought as soon as it is met. */
export function entryOf(type: string): Entry {
  let entry = entries.get(type);
  if (!entry) {
    entry = { component: brought(async () => (await bring(type)) as Entry['component']), isView: false };
    entries.set(type, entry);
  }
  return entry;
}

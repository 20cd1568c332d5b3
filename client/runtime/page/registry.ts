import type { ComponentType } from 'react';
import type { NodeType } from '../../../shared/language/nodes.ts';
import type { Node, NodeByType } from '../../../shared/language/types.ts';
import { lazyComponent } from '../state/lazy-component.tsx';
import type { Scope } from '../state/scope.ts';

/** What every node component is given: its node of the layout and where it stands. */
export type NodeProps<T extends NodeType> = { readonly node: NodeByType[T]; readonly scope: Scope };

type Entry = {
  readonly component: ComponentType<{ readonly node: { readonly type: string }; readonly scope: Scope }>;
  /** True where the component takes the place of `NodeView`. */
  readonly isView: boolean;
};

const entries = new Map<string, Entry>();

/** Registers the component that draws nodes of a type. */
export function register<T extends NodeType>(type: T, component: ComponentType<NodeProps<T>>): void {
  entries.set(type, { component: component as Entry['component'], isView: false });
}

/**
 * Registers a class that extends `NodeView` for a type: it is drawn whatever `when` says and subscribes to its form
 * itself.
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

/** Sets the function that loads the component of a type that is not registered. */
export function lazyLoadNodes(load: typeof bring): void {
  bring = load;
}

/**
 * Gives the registered component for a node type. For one that is not registered the component is loaded when first
 * drawn.
 */
export function entryOf(type: string): Entry {
  let entry = entries.get(type);
  if (!entry) {
    entry = { component: lazyComponent(async () => (await bring(type)) as Entry['component']), isView: false };
    entries.set(type, entry);
  }
  return entry;
}

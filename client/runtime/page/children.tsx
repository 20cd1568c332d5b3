import { Component, Fragment, type ReactNode } from 'react';
import type { Node } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import { Message } from '../effects/message.tsx';
import { useFormScope } from '../forms/form-context.ts';
import { formNames } from '../forms/form-fields.ts';
import { missingModule } from '../state/lazy-component.tsx';
import { isSameFor, type Scope } from '../state/scope.ts';
import { useWord } from '../state/values.ts';
import { entryOf } from './registry.ts';

type ViewState = { readonly broken?: Node | undefined; readonly again?: (() => void) | '' | undefined };
type ViewProps = { readonly node: Node; readonly scope: Scope };

/** `again` where trying once more may help. */
function Broken({ again }: { readonly again?: ViewState['again'] }): ReactNode {
  const text = useWord('retry');
  return <Message kind="bad" text={useWord('error.node')} action={again ? { text, run: again } : undefined} />;
}

function drawByType(node: Node, scope: Scope): ReactNode {
  if (node.when && !isMet(node.when, scope)) return null;
  const entry = entryOf(node.type);
  return <entry.component node={node} scope={scope} />;
}

/** A node that reads its form: drawn again when what it reads of it changes. */
function FormReader({ node, scope }: ViewProps): ReactNode {
  return drawByType(node, useFormScope(formNames(node), scope));
}

/**
 * Draws one node by its type, again only when the node or what it reads has changed. A broken node is kept to
 * itself: it says so, the rest of the page lives. Prefer `drawNodes`.
 */
export class NodeView extends Component<ViewProps, ViewState> {
  override state: ViewState = {};

  override shouldComponentUpdate(next: ViewProps, state: ViewState): boolean {
    const { node, scope } = this.props;
    return next.node !== node || state !== this.state || !isSameFor(node, scope, next.scope);
  }

  override componentDidCatch(error: Error): void {
    // What could not be fetched is fetched anew when it is drawn anew; a fault of the code stays one.
    const again = missingModule(error) && (() => this.setState({ broken: undefined }));
    this.setState({ broken: this.props.node, again });
  }

  override render(): ReactNode {
    const { node, scope } = this.props;
    // A live edit brings another node: it is tried anew.
    if (this.state.broken === node) return <Broken again={this.state.again} />;
    try {
      return this.draw(node, scope);
    } catch (error) {
      // React asks a boundary about what is below it only.
      console.error(error);
      return <Broken />;
    }
  }

  protected draw(node: Node, scope: Scope): ReactNode {
    return formNames(node).length > 0 ? <FormReader node={node} scope={scope} /> : drawByType(node, scope);
  }
}

/** So many nodes stand in one group; with each change React looks at every member of the groups on its way. */
const group = 20;

function drawView(node: Node, index: number, scope: Scope): ReactNode {
  const entry = entryOf(node.type);
  const View = entry.isView ? entry.component : NodeView;
  return <View key={node.id ?? `${node.type}${index}`} node={node} scope={scope} />;
}

/**
 * Draws nodes by their types. A node keeps its state over live edits by its id, else by its type and place. No
 * component: every layer costs each drawing.
 */
export function drawNodes(nodes: readonly Node[] | undefined, scope: Scope): ReactNode {
  if (!nodes || nodes.length <= 2 * group) return nodes?.map((node, index) => drawView(node, index, scope));
  return Array.from({ length: Math.ceil(nodes.length / group) }, (_, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place.
    <Fragment key={place}>
      {nodes
        .slice(place * group, (place + 1) * group)
        .map((node, index) => drawView(node, place * group + index, scope))}
    </Fragment>
  ));
}

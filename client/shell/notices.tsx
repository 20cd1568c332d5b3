import { type ReactNode, useRef } from 'react';
import type { Node } from '../../shared/language/types.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { bindAll } from '../../shared/rules/path.ts';
import { NodeView } from '../runtime/page/children.tsx';
import { type OpenScreen, usePortalObject } from '../runtime/state/portal.ts';
import type { Scope } from '../runtime/state/scope.ts';
import { useStore } from '../runtime/state/store.ts';

/** For so long after a press in the strip what changes in it is what the reader asked for; in milliseconds. */
const answerTime = 10_000;

type NoticesProps = { readonly nodes: readonly Node[]; readonly scope: Scope };
/** What stands in the strip by what it says, for which screen, and until when it may change. */
type Strip = { screen?: OpenScreen | undefined; shown: Map<string, ReactNode>; freeUntil: number };

/**
 * The strip of notices below the header. It changes only with the screen and after a press in it, so that the page
 * never moves under the pointer: a notice that arrives meanwhile lies over the page, one that ends meanwhile stays.
 */
export function Notices({ nodes, scope }: NoticesProps): ReactNode {
  const screen = useStore(usePortalObject().screen);
  const { current: strip } = useRef<Strip>({ shown: new Map(), freeUntil: 0 });
  const isFree = strip.screen !== screen || performance.now() < strip.freeUntil;
  if (isFree) Object.assign(strip, { screen, shown: new Map() });
  const late: ReactNode[] = [];
  nodes.forEach((node, index) => {
    if (!isMet(node.when, scope)) return;
    const key = index + JSON.stringify(bindAll(node.values, scope));
    const drawn = <NodeView key={key} node={node} scope={scope} />;
    if (isFree || strip.shown.has(key)) strip.shown.set(key, drawn);
    else late.push(drawn);
  });
  const notePress = () => {
    strip.freeUntil = performance.now() + answerTime;
  };
  return (
    <div className="notice" onClickCapture={notePress}>
      {[...strip.shown.values()]}
      {late.length > 0 && <div className="notice__late">{late}</div>}
    </div>
  );
}

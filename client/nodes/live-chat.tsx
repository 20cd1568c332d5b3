import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type LiveChatMessage, liveChatElement, type LiveChat as Opened } from '../../shared/contract/live-chat.ts';
import { readPath } from '../../shared/rules/path.ts';
import { Icon } from '../look/icon.tsx';
import { addStyles } from '../look/late-styles.ts';
import { partId } from '../look/part-id.ts';
import { useRun } from '../runtime/effects/effects.ts';
import { Message } from '../runtime/effects/message.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText } from '../runtime/state/values.ts';

addStyles(`
  .chat { max-width: 760px; border: 1px solid var(--line-strong); border-radius: var(--r-l); overflow: hidden; background: var(--surface); }
  .chat__bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--s-2); min-height: 2.25rem; padding-inline: var(--s-3); border-bottom: 1px solid var(--line); background: var(--sunken); color: var(--text-2); font-size: var(--t-s); }
  .chat__bar .icon { width: 16px; height: 16px; }
  .chat__bar span:last-child { margin-inline-start: auto; }
  .chat iframe { display: block; width: 100%; height: clamp(20rem, 70dvh, 44rem); border: 0; }
`);

/** Milliseconds after which a chat that has said nothing is told as one that does not answer. */
const patience = 10_000;

/** What the page was opened with; undefined where this address was opened before. */
function readOpened(ticket: unknown): Opened | undefined {
  const text = document.getElementById(liveChatElement)?.textContent;
  const opened = text ? (JSON.parse(text) as Opened) : undefined;
  return opened?.ticket === ticket ? opened : undefined;
}

/**
 * The live chat in a frame, which a page of the portal hands over to it. A chat that does not say that it is there is told
 * as late; what it says later takes that back. Leaving for another screen loads a new page, whose content security policy
 * does not name the chat.
 */
export function LiveChat({ node, scope }: NodeProps<'live-chat'>): ReactNode {
  const [opened] = useState(() => readOpened(readPath(scope, 'route.ticket')));
  const [state, setState] = useState<'waiting' | 'ready' | 'late'>('waiting');
  const frame = useRef<HTMLIFrameElement>(null);
  const label = useText(node.label, node.values, scope);
  const over = useText(node.over, node.values, scope);
  const late = useText(node.late, node.values, scope);
  const again = useText(node.again, node.values, scope);
  const { run, failure } = useRun(scope, node.id);

  useEffect(() => {
    if (!opened) return undefined;
    const hear = ({ source, origin, data }: MessageEvent): void => {
      if (!frame.current || source !== frame.current.contentWindow || origin !== opened.origin) return;
      if ((data as Partial<LiveChatMessage> | null)?.kind === 'ready') setState('ready');
    };
    window.addEventListener('message', hear);
    const timer = setTimeout(() => setState(before => (before === 'ready' ? before : 'late')), patience);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('message', hear);
    };
  }, [opened]);

  useEffect(() => {
    if (!opened) return undefined;
    const { pathname } = window.location;
    return () => {
      if (window.location.pathname !== pathname) window.location.reload();
    };
  }, [opened]);

  const action = node.on?.again ? { text: again, run: () => void run(node.on?.again) } : undefined;
  const failed = failure && <Message kind="bad" text={failure} testId={partId(node.testId, 'failure')} />;
  if (!opened)
    return (
      <>
        <Message kind="info" text={over} testId={partId(node.testId, 'over')} action={action} />
        {failed}
      </>
    );
  return (
    <>
      {state === 'late' && <Message kind="wait" text={late} testId={partId(node.testId, 'late')} action={action} />}
      {failed}
      <div className="chat" data-testid={node.testId}>
        <div className="chat__bar">
          <Icon name="lock" />
          <span>{new URL(opened.origin).host}</span>
          <span>{label}</span>
        </div>
        <iframe
          ref={frame}
          title={label}
          src={opened.src}
          sandbox="allow-forms allow-scripts allow-same-origin"
          data-testid={partId(node.testId, 'frame')}
        />
      </div>
    </>
  );
}

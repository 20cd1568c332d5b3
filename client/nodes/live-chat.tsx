import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type LiveChatMessage, liveChatElement, type LiveChat as Opened } from '../../shared/contract/live-chat.ts';
import { readPath } from '../../shared/rules/path.ts';
import { partId } from '../look/part-id.ts';
import { useRun } from '../runtime/effects/effects.ts';
import { Message } from '../runtime/effects/message.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText } from '../runtime/state/values.ts';
import { FramedPage, useOpened } from './framed-page.tsx';

/** Milliseconds after which a chat that has said nothing is told as one that does not answer. */
const patience = 10_000;

/**
 * The live chat in a frame, which a page of the portal hands over to it. A chat that does not say that it is there is told
 * as late; what it says later takes that back.
 */
export function LiveChat({ node, scope }: NodeProps<'live-chat'>): ReactNode {
  const opened = useOpened<Opened>(liveChatElement, readPath(scope, 'route.ticket'));
  const [state, setState] = useState<'waiting' | 'ready' | 'late'>('waiting');
  const frame = useRef<HTMLIFrameElement>(null);
  const label = useText(node.label, node.values, scope);
  const over = useText(node.over, node.values, scope);
  const late = useText(node.late, node.values, scope);
  const again = useText(node.again, node.values, scope);
  const { run, failure, reference } = useRun(scope, node.id);

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

  const action = node.on?.again ? { text: again, run: () => void run(node.on?.again) } : undefined;
  const failed = failure && (
    <Message kind="bad" text={failure} testId={partId(node.testId, 'failure')} reference={reference} />
  );
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
      <FramedPage {...{ frame, label }} src={opened.src} host={new URL(opened.origin).host} testId={node.testId} />
    </>
  );
}

import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import {
  finishHostedPage,
  type HostedMessage,
  hostedPageElement,
  longestField,
  mostFields,
  type HostedPage as Opened,
  pageKey,
} from '../../shared/contract/hosted-page.ts';
import { readPath } from '../../shared/rules/path.ts';
import { partId } from '../look/part-id.ts';
import { useRun } from '../runtime/effects/effects.ts';
import { Message } from '../runtime/effects/message.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useSpeech, useText } from '../runtime/state/values.ts';
import { FramedPage, useOpened } from './framed-page.tsx';

/** Pixels of the frame until the form says how high it is, and what it may say. */
const firstHeight = 360;
const leastHeight = 120;
const mostHeight = 1600;

/** A message of the form in this very frame, opened with this very nonce; undefined for any other. */
function readMessage(event: MessageEvent, frame: Window | null | undefined, opened: Opened): HostedMessage | undefined {
  if (!frame || event.source !== frame || event.origin !== new URL(opened.src).origin) return undefined;
  const message = event.data as Partial<HostedMessage> | null;
  return message?.nonce === opened.nonce ? (message as HostedMessage) : undefined;
}

/** The fields of an answer that can be sent on: text, and not too much of it. */
const textFields = (fields: unknown): [string, string][] =>
  Object.entries((fields ?? {}) as Record<string, unknown>)
    .filter((field): field is [string, string] => typeof field[1] === 'string' && field[1].length <= longestField)
    .slice(0, mostFields);

/**
 * An external provider's form (such as a payment provider's) in a frame. Its answer is sent to the server as it is, and
 * again by a button where that failed.
 */
export function HostedPage({ node, scope }: NodeProps<'hosted-page'>): ReactNode {
  const opened = useOpened<Opened>(hostedPageElement, readPath(scope, 'route.ticket'));
  const [height, setHeight] = useState(firstHeight);
  const frame = useRef<HTMLIFrameElement>(null);
  const label = useText(node.label, node.values, scope);
  const over = useText(node.over, node.values, scope);
  const { start, run, failure, reference } = useRun(scope, node.id);
  const answer = useRef<Readonly<Record<string, string>>>(undefined);
  const { done } = node.on ?? {};
  const { word } = useSpeech();
  const send = useCallback(async (): Promise<void> => {
    const sent = await start([{ do: 'command', command: finishHostedPage }], answer.current);
    if (sent.done) await run(done);
  }, [start, run, done]);

  useEffect(() => {
    if (!opened) return undefined;
    const hear = async (event: MessageEvent): Promise<void> => {
      const message = readMessage(event, frame.current?.contentWindow, opened);
      if (message?.kind === 'height')
        setHeight(Math.min(mostHeight, Math.max(leastHeight, Number(message.height) || firstHeight)));
      if (message?.kind !== 'answer' || answer.current) return;
      answer.current = { ...Object.fromEntries(textFields(message.fields)), [pageKey]: opened.key };
      await send();
    };
    const listener = (event: MessageEvent) => void hear(event);
    window.addEventListener('message', listener);
    return () => window.removeEventListener('message', listener);
  }, [opened, send]);

  if (failure) {
    // The form is gone, but its answer is not: the cloud takes it once, however often it is sent.
    const action = answer.current && { text: word('retry'), run: () => void send() };
    return (
      <Message
        kind="bad"
        text={failure}
        testId={partId(node.testId, 'failure')}
        action={action}
        reference={reference}
      />
    );
  }
  if (!opened) return <Message kind="info" text={over} testId={partId(node.testId, 'over')} />;
  const { src } = opened;
  return <FramedPage {...{ frame, label, src, height }} host={new URL(src).host} testId={node.testId} />;
}

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
import { Icon } from '../look/icon.tsx';
import { addStyles } from '../look/late-styles.ts';
import { partId } from '../look/part-id.ts';
import { useRun } from '../runtime/effects/effects.ts';
import { Message } from '../runtime/effects/message.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useSpeech, useText } from '../runtime/state/values.ts';

addStyles(`
  .frame { width: 500px; max-width: 100%; border: 1px solid var(--line-strong); border-radius: var(--r-l); overflow: hidden; background: var(--surface); }
  .frame__bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--s-2); min-height: 2.25rem; padding-inline: var(--s-3); border-bottom: 1px solid var(--line); background: var(--sunken); color: var(--text-2); font-size: var(--t-s); }
  .frame__bar .icon { width: 16px; height: 16px; }
  .frame__bar span:last-child { margin-inline-start: auto; }
  .frame iframe { display: block; width: 100%; border: 0; }
`);

/** Pixels of the frame until the form says how high it is, and what it may say. */
const firstHeight = 360;
const leastHeight = 120;
const mostHeight = 1600;

/** What the page was opened with; undefined where this address was opened before. */
function readOpened(ticket: unknown): Opened | undefined {
  const text = document.getElementById(hostedPageElement)?.textContent;
  const opened = text ? (JSON.parse(text) as Opened) : undefined;
  return opened?.ticket === ticket ? opened : undefined;
}

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
 * again by a button where that failed. Leaving for another screen loads a new page, whose content security policy does
 * not name the provider.
 */
export function HostedPage({ node, scope }: NodeProps<'hosted-page'>): ReactNode {
  const [opened] = useState(() => readOpened(readPath(scope, 'route.ticket')));
  const [height, setHeight] = useState(firstHeight);
  const frame = useRef<HTMLIFrameElement>(null);
  const label = useText(node.label, node.values, scope);
  const over = useText(node.over, node.values, scope);
  const { start, run, failure } = useRun(scope, node.id);
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

  useEffect(() => {
    if (!opened) return undefined;
    const { pathname } = window.location;
    return () => {
      if (window.location.pathname !== pathname) window.location.reload();
    };
  }, [opened]);

  if (failure) {
    // The form is gone, but its answer is not: the cloud takes it once, however often it is sent.
    const action = answer.current && { text: word('retry'), run: () => void send() };
    return <Message kind="bad" text={failure} testId={partId(node.testId, 'failure')} action={action} />;
  }
  if (!opened) return <Message kind="info" text={over} testId={partId(node.testId, 'over')} />;
  return (
    <div className="frame" data-testid={node.testId}>
      <div className="frame__bar">
        <Icon name="lock" />
        <span>{new URL(opened.src).host}</span>
        <span>{label}</span>
      </div>
      <iframe
        ref={frame}
        title={label}
        src={opened.src}
        height={height}
        sandbox="allow-forms allow-scripts allow-same-origin"
        data-testid={partId(node.testId, 'frame')}
      />
    </div>
  );
}

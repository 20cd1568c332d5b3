import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Icon } from '../look/icon.tsx';
import { addStyles } from '../look/late-styles.ts';
import { partId } from '../look/part-id.ts';

addStyles(`
  .frame { width: 500px; max-width: 100%; border: 1px solid var(--line-strong); border-radius: var(--r-l); overflow: hidden; background: var(--surface); }
  .frame.is-tall { width: 760px; }
  .frame__bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--s-2); min-height: 2.25rem; padding-inline: var(--s-3); border-bottom: 1px solid var(--line); background: var(--sunken); color: var(--text-2); font-size: var(--t-s); }
  .frame__bar .icon { width: 16px; height: 16px; }
  .frame__bar span:last-child { margin-inline-start: auto; }
  .frame iframe { display: block; width: 100%; border: 0; }
  .frame.is-tall iframe { height: clamp(20rem, 70dvh, 44rem); }
`);

function readOpened<T extends { readonly ticket: string }>(element: string, ticket: unknown): T | undefined {
  const text = document.getElementById(element)?.textContent;
  const opened = text ? (JSON.parse(text) as T) : undefined;
  return opened?.ticket === ticket ? opened : undefined;
}

/**
 * The content that the server put into this page for a ticket; undefined where this address was opened before. Leaving
 * for another screen loads a new page, whose content security policy does not name what is framed here.
 */
export function useOpened<T extends { readonly ticket: string }>(element: string, ticket: unknown): T | undefined {
  const [opened] = useState(() => readOpened<T>(element, ticket));
  useEffect(() => {
    if (!opened) return undefined;
    const { pathname } = window.location;
    return () => {
      if (window.location.pathname !== pathname) window.location.reload();
    };
  }, [opened]);
  return opened;
}

/** A page of somebody else in a frame, below a bar that says whose it is. Without a height it is tall. */
export function FramedPage(props: {
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly label: string | undefined;
  readonly host: string;
  readonly src: string;
  readonly height?: number;
  readonly testId: string | undefined;
}): ReactNode {
  const { frame, label, host, src, height, testId } = props;
  return (
    <div className={height === undefined ? 'frame is-tall' : 'frame'} data-testid={testId}>
      <div className="frame__bar">
        <Icon name="lock" />
        <span>{host}</span>
        <span>{label}</span>
      </div>
      <iframe
        ref={frame}
        title={label}
        src={src}
        height={height}
        sandbox="allow-forms allow-scripts allow-same-origin"
        data-testid={partId(testId, 'frame')}
      />
    </div>
  );
}

import { type MouseEvent, type ReactNode, useRef } from 'react';
import { readPath } from '../../shared/rules/path.ts';
import { partId } from '../look/part-id.ts';
import { isPlainClick } from '../look/plain-click.ts';
import { useLate } from '../look/use-late.ts';
import { sourceOf, useSource } from '../runtime/data/data-source.ts';
import { Trouble } from '../runtime/effects/trouble.tsx';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { type Scope, withRow } from '../runtime/state/scope.ts';
import { useText, useValue, useWord } from '../runtime/state/values.ts';

/** Document 1, section 3. */
const custom = 1;
const header = 2;
const subContent = 4;
const list = 5;
/** Pixels that a level of nesting is further in, and how many levels there may be. */
const indent = 10;
const deepest = 10;

type Section = {
  readonly kind: number;
  readonly content: string;
  readonly number: string;
  readonly anchor: string;
  readonly anchorText: string;
  readonly nesting: number;
  readonly scope: Scope;
};

function readSection(node: NodeProps<'policy'>['node'], scope: Scope): Section {
  const read = (path: string | undefined) => (path === undefined ? undefined : readPath(scope, path));
  const text = (path: string | undefined) => String(read(path) ?? '');
  const number = (path: string | undefined) => Number(read(path)) || 0;
  return {
    kind: number(node.typePath),
    content: text(node.content),
    number: text(node.number),
    anchor: text(node.anchor),
    anchorText: text(node.anchorText),
    nesting: Math.min(Math.max(number(node.nesting), 0), deepest),
    scope,
  };
}

function Body({ kind, content, number }: Section): ReactNode {
  const label = number !== '' && <b>{number} </b>;
  if (kind === list) {
    return (
      <>
        {label && <p>{label}</p>}
        <ul>
          {content.split('|').map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place.
            <li key={index}>{item.trim()}</li>
          ))}
        </ul>
      </>
    );
  }
  if (kind === header) {
    return (
      <h2>
        {number} {content}
      </h2>
    );
  }
  return (
    <p className={kind === subContent ? 'quiet' : undefined}>
      {label}
      {content}
    </p>
  );
}

/**
 * The text of a policy in sections, never as markup. A link scrolls to its section and moves the focus there; the
 * address stays, since a new one would close the popup.
 */
export function Policy({ node, scope }: NodeProps<'policy'>): ReactNode {
  const rows = useValue(node.rows, scope);
  const source = useSource(sourceOf(node.rows));
  const { envelope, loading } = source;
  const words = { waiting: useWord('waiting'), garbled: useWord('error.unexpected') };
  const failed = source.failed ?? (envelope && !loading && !Array.isArray(rows) ? words.garbled : undefined);
  const isLate = useLate(!rows && !failed);
  const label = useText(node.label, node.values, scope);
  const element = useRef<HTMLDivElement>(null);
  if (!Array.isArray(rows)) {
    if (failed) return <Trouble of={{ ...source, failed }} />;
    return isLate && <p className="quiet">{words.waiting}</p>;
  }
  const sections = rows.map(row => readSection(node, withRow(scope, row)));
  const jumps = sections.filter(section => section.anchor !== '' && section.anchorText !== '');
  const jump = (event: MouseEvent, section: Section) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    const target = element.current?.children[sections.indexOf(section)] as HTMLElement | undefined;
    target?.focus({ preventScroll: true });
    target?.scrollIntoView();
  };
  return (
    <div className="stack" data-testid={node.testId}>
      {jumps.length > 0 && (
        // No landmark: a page may show several policies, which would share one name.
        <ul className="jumps" aria-label={label}>
          {jumps.map(section => (
            <li key={section.anchor}>
              <a
                href={`#section-${section.anchor}`}
                data-testid={partId(node.testId, `section-${section.anchor}`)}
                onClick={event => jump(event, section)}
              >
                {section.anchorText}
              </a>
            </li>
          ))}
        </ul>
      )}
      <div ref={element} className="prose">
        {sections.map((section, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a section is its place.
            key={index}
            id={section.anchor === '' ? undefined : `section-${section.anchor}`}
            tabIndex={section.anchor === '' ? undefined : -1}
            style={section.nesting > 0 ? { marginInlineStart: section.nesting * indent } : undefined}
          >
            {section.kind === custom ? drawNodes(node.children, section.scope) : <Body {...section} />}
          </div>
        ))}
      </div>
    </div>
  );
}

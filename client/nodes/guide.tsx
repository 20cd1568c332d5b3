import { type ReactNode, useId } from 'react';
import type { GuideNode } from '../../shared/language/types.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { fillAddress } from '../../shared/rules/path.ts';
import { entryFor } from '../look/catalogue-entry.ts';
import { Icon } from '../look/icon.tsx';
import { addStyles } from '../look/late-styles.ts';
import { partId } from '../look/part-id.ts';
import { ListBones } from '../look/skeleton.tsx';
import { StatusMark } from '../look/status-mark.tsx';
import { useLate } from '../look/use-late.ts';
import { sourceOf, useSource } from '../runtime/data/data-source.ts';
import { A } from '../runtime/effects/navigation.tsx';
import { Trouble } from '../runtime/effects/trouble.tsx';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { usePreference } from '../runtime/state/preferences.ts';
import type { Scope } from '../runtime/state/scope.ts';
import { useSpeech, useValue } from '../runtime/state/values.ts';

addStyles(`
  .guide > .card__head:has(+ [hidden]) { border-bottom: 0; }
  .guide h2 { min-width: 0; }
  .guide h2 > button { display: flex; align-items: center; gap: var(--s-2); min-height: 44px; margin-block: calc(-1 * var(--s-2)); padding: 0; border: 0; border-radius: var(--r-s); background: none; color: inherit; font: inherit; letter-spacing: inherit; text-align: start; cursor: pointer; }
  .guide h2 > button:hover { text-decoration: underline; }
  .guide__intro { display: grid; gap: var(--s-1); }
  .guide__intro h3 { font-size: var(--t-m); line-height: var(--lh-m); }
  .guide__progress { color: var(--text-2); font-size: var(--t-s); font-variant-numeric: tabular-nums; }
  .guide__steps { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s-4); padding: 0; list-style: none; }
  .guide__steps > li { display: grid; grid-template-columns: 28px minmax(0, 1fr); gap: 0 var(--s-3); }
  .guide__steps h3 { font-size: var(--t-m); line-height: 28px; }
  .guide__mark { display: grid; place-items: center; width: 28px; height: 28px; border: 1px solid var(--line-control); border-radius: 50%; color: var(--text-2); font-size: var(--t-s); font-weight: var(--w-medium); font-variant-numeric: tabular-nums; }
  .is-done > .guide__mark { border-color: transparent; background: var(--ok-tint); color: var(--ok-text); }
  .guide__step { display: grid; justify-items: start; gap: var(--s-1); min-width: 0; max-width: 72ch; overflow-wrap: anywhere; }
  .guide__step > p { color: var(--text-2); }
  .guide__step > a { padding-block: 2px; }
  @media (max-width: 600px) { .guide .card__head > .row { width: 100%; margin-inline-start: 0; } .guide__step > a { padding-block: 10px; } }
`);

type Step = GuideNode['steps'][number];

const acceptOpen = (kept: unknown): boolean | undefined => (typeof kept === 'boolean' ? kept : undefined);

/** The data sources by which a guide's steps are ticked and its status is said. */
function sourcesOf({ status, steps }: GuideNode): readonly string[] {
  const paths = [status, ...steps.map(({ done }) => done.path)];
  return [...new Set(paths.map(sourceOf).filter(name => name !== undefined))];
}

/** One numbered step: a tick in place of its number once it is done, its heading, its paragraph and where it is done. */
function GuideStep({ step, index, isDone, scope, testId }: StepProps): ReactNode {
  const { text, word } = useSpeech();
  const href = step.to && step.linkText ? fillAddress(step.to, scope) : undefined;
  return (
    <li className={isDone ? 'is-done' : undefined} data-testid={testId}>
      <span className="guide__mark" aria-hidden="true">
        {isDone ? <Icon name="check" small /> : index + 1}
      </span>
      <div className="guide__step">
        <h3>
          {text(step.title, step.values, scope)}{' '}
          <span className="visually-hidden">({word(isDone ? 'guide.done' : 'guide.open')})</span>
        </h3>
        <p>{text(step.text, step.values, scope)}</p>
        {href && !isDone && (
          <A href={href} data-testid={partId(testId, 'link')}>
            {text(step.linkText, step.values, scope)}
          </A>
        )}
      </div>
    </li>
  );
}

type StepProps = {
  readonly step: Step;
  readonly index: number;
  readonly isDone: boolean;
  readonly scope: Scope;
  readonly testId: string | undefined;
};

/**
 * A card of numbered steps; see the language (`guide`). How many are done is a live region, so that a tick that comes by
 * itself is read out also while the card is closed.
 */
export function Guide({ node, scope }: NodeProps<'guide'>): ReactNode {
  const id = useId();
  const { text, word } = useSpeech();
  const [kept, keep] = usePreference(`guide.${node.id}`, acceptOpen);
  const [first] = sourcesOf(node);
  const source = useSource(first);
  const { envelope, failed } = source;
  const isRead = first === undefined || envelope !== undefined;
  const isLate = useLate(!isRead && failed === undefined);
  const state = useValue(node.status, scope);
  const entry = entryFor(node.catalogue, state);
  const done = node.steps.map(step => isRead && isMet(step.done, scope));
  const count = done.filter(Boolean).length;
  const all = node.steps.length;
  const isOpen = kept ?? !(isRead && count === all);
  const said = count === all ? word('guide.all') : word('guide.progress', { done: count, count: all });
  return (
    <section className="card guide" aria-labelledby={`${id}t`} data-testid={node.testId}>
      <div className="card__head">
        <h2>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={`${id}b`}
            data-testid={partId(node.testId, 'toggle')}
            onClick={() => keep(!isOpen)}
          >
            <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
            <span id={`${id}t`}>{text(node.title, node.values, scope)}</span>
          </button>
        </h2>
        <div className="row">
          <span className="guide__progress" role="status" data-testid={partId(node.testId, 'progress')}>
            {isRead && said}
          </span>
          {isRead && entry && <StatusMark text={text(entry.text, undefined, scope)} kind={entry.kind} />}
        </div>
      </div>
      <div id={`${id}b`} className="card__body" hidden={!isOpen}>
        <Trouble of={source} />
        {isRead && (
          <>
            {node.text && (
              <div className="guide__intro">
                {node.heading && <h3>{text(node.heading, node.values, scope)}</h3>}
                <p>{text(node.text, node.values, scope)}</p>
              </div>
            )}
            <ol className="guide__steps">
              {node.steps.map((step, index) => (
                <GuideStep
                  // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place.
                  key={index}
                  {...{ step, index, scope }}
                  isDone={done[index] ?? false}
                  testId={partId(node.testId, `step-${index + 1}`)}
                />
              ))}
            </ol>
            {node.children && <div className="stack stack--tight">{drawNodes(node.children, scope)}</div>}
          </>
        )}
        {!isRead && failed === undefined && isLate && <ListBones rows={3} />}
      </div>
    </section>
  );
}

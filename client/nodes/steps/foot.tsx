import type { MouseEvent, ReactNode } from 'react';
import type { StepsNode } from '../../../shared/language/types.ts';
import { Icon } from '../../look/icon.tsx';
import { addStyles } from '../../look/late-styles.ts';
import { partId } from '../../look/part-id.ts';
import { drawNodes } from '../../runtime/page/children.tsx';
import type { Scope } from '../../runtime/state/scope.ts';

addStyles(`
  form:has(> .placebar) { display: grid; gap: var(--s-6); grid-template-columns: minmax(0, 1fr); align-items: start; }
  form:has(> .placebar) > .form { max-width: none; padding: var(--s-5); background: var(--surface); border: 1px solid var(--line); border-radius: var(--r-l); }
  form:has(> .placebar) > .form input[inputmode="decimal"] { max-width: 9.5rem; }
  .card form:has(> .placebar) > .form { max-width: 60rem; padding: 0; border: 0; }
  .card form:has(> .placebar) > .form > .field { max-width: 26rem; }
  .quote { min-width: 0; } .quote--old dd { color: var(--text-2); }
  .quote .card__body { gap: 0; padding-block: var(--s-3); } .quote .card__body > .facts { margin: 0; }
  .quote .facts > div { display: block; min-height: 0; border: 0; }
  .quote .facts dt { float: inline-start; margin-inline-end: var(--s-4); }
  .quote .facts dd { display: block; text-align: end; font-weight: var(--w-medium); }
  .quote .facts dd > small { display: block; clear: both; text-align: start; font-weight: var(--w-normal); font-size: var(--t-s); line-height: var(--lh-s); }
  .quote .stat { grid-template-columns: minmax(0, 1fr) auto; align-items: baseline; padding: var(--s-3) 0; margin-block: var(--s-2); border-width: 1px 0; border-radius: 0; }
  .quote .stat dt { color: var(--text); font-weight: var(--w-medium); font-size: inherit; } .quote .stat dd + dd { grid-column: 1 / -1; }
  .placebar { display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: var(--s-2); }
  .placebar > .push { margin-inline-end: auto; }
  .placebar__sum { flex: 1 1 auto; } .placebar__sum .facts { display: flex; flex-wrap: wrap; gap: 0 var(--s-5); }
  .placebar__sum .facts > div { display: flex; flex-direction: row-reverse; align-items: baseline; gap: var(--s-1); min-height: 0; padding: 0; border: 0; }
  .placebar__sum .facts dd { font-weight: var(--w-bold); }
  .placebar--stay { position: sticky; bottom: var(--s-4); z-index: var(--z-bulk); padding: var(--s-3) var(--s-4); background: var(--raised); border-radius: var(--r-l); box-shadow: var(--shadow-menu); }
  @media (min-width: 1024px) {
    form:has(> .quote) { grid-template: "main side" auto "bar side" 1fr / minmax(0, 1fr) 22.5rem; }
    form:has(> .placebar) > .form { grid-area: main; } form:has(> .placebar) > .quote { grid-area: side; position: sticky; top: calc(var(--topbar-h) + var(--s-5)); } form:has(> .quote) > .placebar { grid-area: bar; }
    form:has(> .placebar):not(:has(> .quote)) > .form { grid-area: auto; }
    form:has(> .quote) .placebar__sum { display: none; }
  }
  @media (max-width: 1023px) {
    html:has(.placebar--fixed, .placebar--stay) { scroll-padding-block-end: var(--s-24); }
    .placebar--fixed, .placebar--stay { position: sticky; bottom: 0; z-index: var(--z-bulk); margin: 0 calc(-1 * var(--gutter)); padding: var(--s-3) var(--gutter) calc(var(--s-3) + env(safe-area-inset-bottom)); background: var(--raised); border-radius: var(--r-l) var(--r-l) 0 0; box-shadow: var(--shadow-menu); }
    .placebar__sum { flex: 1 0 100%; } .placebar__sum .facts { justify-content: space-between; }
  }
  @media (max-width: 600px) {
    .placebar > .push > .button__text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); } .placebar > .push { margin-inline: 0; }
    .placebar > .button--primary, .placebar > .button--danger { flex: 1 1 8rem; height: auto; min-height: var(--control-m); padding-block: var(--s-15); line-height: 1.2; white-space: normal; }
  }
  @media print { .placebar, .steps { display: none; } }
`);

type FootProps = {
  readonly unit: StepsNode['steps'][number] | undefined;
  /** What the nodes beside the fields read. */
  readonly scope: Scope;
  /** True while they show what was answered for something else. */
  readonly isOld: boolean;
  readonly submit: ReactNode;
  readonly back: string;
  readonly onBack: (() => void) | undefined;
  readonly actions: ReactNode;
  readonly testId: string | undefined;
};

/**
 * The part of a wizard's step after its fields: what stands beside them (such as a price), and the buttons: back, other
 * actions, and last the one that goes on.
 */
export function StepFoot({ unit, scope, isOld, submit, back, onBack, actions, testId }: FootProps): ReactNode {
  const { aside = [], bar = [] } = unit ?? {};
  const kind = bar.length === 0 ? '' : aside.length > 0 ? ' placebar--fixed' : ' placebar--stay';
  return (
    <>
      {aside.length > 0 && (
        <div className={isOld ? 'quote quote--old' : 'quote'} aria-live="polite" data-testid={partId(testId, 'aside')}>
          {drawNodes(aside, scope)}
        </div>
      )}
      <div className={`placebar${kind}`} onClickCapture={ignoreSecondClick}>
        {bar.length > 0 && (
          <div className="placebar__sum" data-testid={partId(testId, 'bar')}>
            {drawNodes(bar, scope)}
          </div>
        )}
        {onBack && (
          <button
            className="button button--quiet push"
            type="button"
            data-testid={partId(testId, 'cancel')}
            onClick={onBack}
          >
            <Icon name="arrow-left" />
            <span className="button__text">{back}</span>
          </button>
        )}
        {actions}
        {submit}
      </div>
    </>
  );
}

/** The second click of a double click was meant for the step before, whose buttons stood in the same place. */
function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

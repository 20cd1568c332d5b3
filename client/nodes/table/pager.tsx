import { type ReactNode, type RefObject, useEffect, useId } from 'react';
import type { TableNode } from '../../../shared/language/types.ts';
import { firstSize } from '../../../shared/rules/paging.ts';
import { readPath } from '../../../shared/rules/path.ts';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { usePlace } from '../../runtime/effects/navigation.tsx';
import type { Scope } from '../../runtime/state/scope.ts';
import { useSpeech } from '../../runtime/state/values.ts';

type Paging = NonNullable<TableNode['paging']>;
type PagerProps = {
  readonly node: Pick<TableNode, 'paging' | 'testId'>;
  readonly scope: Scope;
  /** How many rows are on the page; undefined while they are not there yet. */
  readonly shown: number | undefined;
  readonly block: RefObject<HTMLElement | null>;
  /** How the table is shown, where no toolbar above has it. */
  readonly display?: ReactNode;
};

/** The controls below a table: which rows of how many, rows per page, previous and next page. Announces the count. */
export function Pager(props: PagerProps): ReactNode {
  if (props.node.paging) return <ServerPager {...props} paging={props.node.paging} />;
  return (
    props.display && (
      <div className="pager">
        <div className="pager__end">{props.display}</div>
      </div>
    )
  );
}

function ServerPager({
  node: { testId },
  paging,
  scope,
  shown,
  block,
  display,
}: PagerProps & { readonly paging: Paging }): ReactNode {
  const sizeId = useId();
  const { word } = useSpeech();
  const sizes = paging.sizes ?? [];
  const [pageText, goTo] = usePlace(paging.page);
  const [sizeText, setSize] = usePlace(paging.size, [paging.page]);
  const total = readPath(scope, paging.total);
  const isLess = paging.exact !== undefined && readPath(scope, paging.exact) === false;
  const page = Math.max(1, Math.trunc(Number(pageText)) || 1);
  const size = Number(sizeText) || firstSize(paging);
  const first = (page - 1) * size + 1;

  // Rows that were deleted may leave one beyond the last page.
  const isBeyond = shown === 0 && page > 1 && typeof total === 'number';
  useEffect(() => {
    if (isBeyond) goTo(undefined, { replace: true });
  }, [isBeyond, goTo]);

  if (typeof total !== 'number' || shown === undefined) return null;
  const last = first + shown - 1;
  const turn = (to: number) => {
    goTo(to === 1 ? undefined : String(to));
    const top = block.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) block.current?.scrollIntoView();
  };
  return (
    <div className="pager">
      <span role="status" aria-live="polite">
        {word(isLess ? 'table.rangeOfMore' : 'table.range', { from: first, to: last, count: total })}
      </span>
      <div className="pager__end">
        {display}
        {sizes.length > 1 && (
          <>
            <label className="visually-hidden" htmlFor={sizeId}>
              {word('table.size')}
            </label>
            <select
              className="select not-small"
              id={sizeId}
              value={size}
              data-testid={partId(testId, 'size')}
              onChange={event => setSize(event.target.value === String(sizes[0]) ? undefined : event.target.value)}
            >
              {sizes.map(choice => (
                <option key={choice} value={choice}>
                  {word('table.perPage', { count: choice })}
                </option>
              ))}
            </select>
          </>
        )}
        <button
          className="button button--icon button--small"
          type="button"
          aria-label={word('table.previous')}
          data-testid={partId(testId, 'previous')}
          disabled={page <= 1}
          onClick={() => turn(page - 1)}
        >
          <Icon name="chevron-left" />
        </button>
        <button
          className="button button--icon button--small"
          type="button"
          aria-label={word('table.next')}
          data-testid={partId(testId, 'next')}
          disabled={isLess ? shown < size : last >= total}
          onClick={() => turn(page + 1)}
        >
          <Icon name="chevron-right" />
        </button>
      </div>
    </div>
  );
}

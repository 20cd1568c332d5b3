import { type ReactNode, useMemo } from 'react';
import type { MatchNode, Node } from '../../../shared/language/types.ts';
import { partId } from '../../look/part-id.ts';
import { ListBones } from '../../look/skeleton.tsx';
import { Message } from '../../runtime/effects/message.tsx';
import { Trouble } from '../../runtime/effects/trouble.tsx';
import { drawNodes } from '../../runtime/page/children.tsx';
import type { NodeProps } from '../../runtime/page/registry.ts';
import { withRow } from '../../runtime/state/scope.ts';
import { spacer } from '../spacer.tsx';
import { roles } from '../table/roles.ts';
import { useMatches } from './matches.ts';
import { MatchRow } from './row.tsx';
import type { Standing } from './state.ts';

const standings: readonly Standing[] = ['matched', 'unmatched', 'ignored'];

/** The filter of a match, whose counts are those of what holds now. */
const filterOf = ({ filterPath: filter, label, texts, testId }: MatchNode): Node => ({
  type: 'filter',
  path: filter,
  look: 'segments',
  label,
  options: ['', ...standings].map(value => ({
    value,
    text: texts[(value || 'all') as Standing | 'all'],
    count: `row.${value || 'all'}`,
    ...(testId && { testId: `${testId}-${value || 'all'}` }),
  })),
});

/**
 * A list in which the user matches items with options (such as own customers with those of another system), many before
 * they are sent together; see the language (`match`).
 */
export function Match({ node, scope }: NodeProps<'match'>): ReactNode {
  const { say, speech, source, optionSource, items, shown, visible, ...matches } = useMatches({ node, scope });
  const { current, counts, proposals, titleOf, said, acceptAll, find, set } = matches;
  const filters = useMemo(() => [filterOf(node)], [node]);
  const label = say(node.label);
  if (source.rows === undefined) {
    if (source.failed !== undefined) return <Trouble of={source} />;
    return source.isLate && <ListBones rows={8} />;
  }
  const { from, to, before, after, body } = visible;
  const isWindowed = to - from < shown.length;
  return (
    <div className="match" data-testid={node.testId}>
      <Trouble of={optionSource} />
      {optionSource.rows?.length === 0 && <Message kind="bad" text={say(node.candidates.emptyText)} />}
      <div className="match__bar">
        {drawNodes(filters, withRow(scope, counts))}
        {proposals.size > 0 && (
          <button
            className="button button--small"
            type="button"
            data-testid={partId(node.testId, 'accept-all')}
            onClick={acceptAll}
          >
            <span className="button__text">{say(node.texts.acceptAll, { count: proposals.size })}</span>
          </button>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {shown.length === 0 ? (
        <p className="table-empty" role="status">
          {say(items.length === 0 ? node.texts.empty : node.texts.noMatch)}
        </p>
      ) : (
        <div className="table-block">
          <table
            className="table"
            {...roles.table}
            aria-label={label}
            aria-busy={source.loading || undefined}
            aria-rowcount={isWindowed ? shown.length + 1 : undefined}
          >
            <thead {...roles.group}>
              <tr {...roles.row}>
                <th {...roles.columnHeader} scope="col" className="cell-lead">
                  {say(node.heading)}
                </th>
                {node.columns?.map(column => (
                  <th
                    key={column.id ?? column.path}
                    {...roles.columnHeader}
                    scope="col"
                    className={column.format === 'currency' ? 'cell-num' : undefined}
                  >
                    {say(column.title)}
                  </th>
                ))}
                <th {...roles.columnHeader} scope="col">
                  {say(node.texts.standing)}
                </th>
                <th {...roles.columnHeader} scope="col">
                  {say(node.candidates.heading)}
                </th>
                <th {...roles.columnHeader} scope="col">
                  <span className="visually-hidden">{speech.word('table.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody {...roles.group} ref={body}>
              {spacer(before)}
              {shown.slice(from, to).map((item, index) => {
                const match = current.get(item.key)!;
                return (
                  <MatchRow
                    key={item.key}
                    node={node}
                    scope={scope}
                    speech={speech}
                    say={say}
                    item={item}
                    match={match}
                    optionTitle={titleOf(item, match)}
                    proposal={proposals.get(item)}
                    place={isWindowed ? from + index + 2 : undefined}
                    testId={partId(node.testId, `row-${item.key}`)}
                    find={find}
                    set={set}
                  />
                );
              })}
              {spacer(after)}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

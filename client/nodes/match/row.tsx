import { memo, type ReactNode, useId } from 'react';
import type { MatchNode } from '../../../shared/language/types.ts';
import type { Match } from '../../../shared/rules/match-changes.ts';
import { readPath } from '../../../shared/rules/path.ts';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { StatusMark } from '../../look/status-mark.tsx';
import { drawValue } from '../../look/value.tsx';
import type { Scope } from '../../runtime/state/scope.ts';
import type { Speech } from '../../runtime/state/speech.ts';
import { roles } from '../table/roles.ts';
import { MatchBox } from './box.tsx';
import { type Item, type Option, standingOf } from './state.ts';

const looks = { matched: 'ok', unmatched: 'wait', ignored: 'off' } as const;

/** Says a text of a match about an item, an option or a count. */
export type Say = (
  text: MatchNode['label'],
  about?: { readonly name?: string; readonly option?: string; readonly count?: number },
) => string;

type RowProps = {
  readonly node: MatchNode;
  readonly scope: Scope;
  readonly speech: Speech;
  readonly say: Say;
  readonly item: Item;
  readonly match: Match;
  /** What the option is called that it has. */
  readonly optionTitle: string;
  readonly proposal: Option | undefined;
  /** Place among all rows, the head being 1; given where not all rows are drawn. */
  readonly place: number | undefined;
  readonly testId: string | undefined;
  /** Options for it that have these words. */
  find(item: Item, words: string): { readonly shown: readonly Option[]; readonly more: number };
  set(item: Item, match: Match): void;
};

/** One row of the list in which items are matched with options: the item, its option, and how to change it. */
export const MatchRow = memo(function MatchRow(props: RowProps): ReactNode {
  const { node, scope, speech, say, item, match, optionTitle, proposal, place, testId, find, set } = props;
  const nameId = useId();
  const { texts } = node;
  const standing = standingOf(match);
  const about = { name: item.title, option: optionTitle };
  return (
    <tr {...roles.row} aria-rowindex={place} data-testid={testId}>
      <th {...roles.rowHeader} scope="row" className="cell-lead" id={nameId}>
        <div className="lead">
          <div className="lead__text">
            <span>{item.title}</span>
          </div>
        </div>
      </th>
      {node.columns?.map(column => {
        const text = drawValue(readPath({ ...scope, row: item.row }, column.path), column.format, speech.format);
        return (
          <td
            key={column.id ?? column.path}
            {...roles.cell}
            className={column.format === 'currency' ? 'cell-num' : undefined}
            data-label={speech.text(column.title, node.values, scope)}
          >
            {text === '' ? '–' : text}
          </td>
        );
      })}
      <td {...roles.cell}>
        <StatusMark text={say(texts[standing])} kind={looks[standing]} />
      </td>
      <td {...roles.cell} className="match__cell">
        <div className="match__choice">
          <MatchBox
            label={say(texts.choose, about)}
            placeholder={say(node.candidates.heading)}
            selected={match.option}
            title={optionTitle}
            isOff={match.ignored}
            testId={partId(testId, 'option')}
            noOption={say(texts.noOption)}
            more={count => say(texts.more, { count })}
            find={words => find(item, words)}
            onTake={option => set(item, { option: option.key, ignored: false })}
          />
          {match.option !== null && (
            <button
              className="row-menu"
              type="button"
              aria-label={say(texts.unassign, about)}
              title={say(texts.unassign, about)}
              data-testid={partId(testId, 'unassign')}
              onClick={() => set(item, { ...match, option: null })}
            >
              <Icon name="x" />
            </button>
          )}
        </div>
        {proposal && (
          <button
            className="linkbutton"
            type="button"
            aria-describedby={nameId}
            data-testid={partId(testId, 'accept')}
            onClick={() => set(item, { option: proposal.key, ignored: false })}
          >
            {say(texts.accept, { ...about, option: proposal.title })}
          </button>
        )}
      </td>
      <td {...roles.cell} className="match__act">
        <button
          className="button button--small"
          type="button"
          aria-describedby={nameId}
          data-testid={partId(testId, 'ignore')}
          onClick={() => set(item, { ...match, ignored: !match.ignored })}
        >
          <span className="button__text">{say(match.ignored ? texts.restore : texts.ignore, about)}</span>
        </button>
      </td>
    </tr>
  );
});

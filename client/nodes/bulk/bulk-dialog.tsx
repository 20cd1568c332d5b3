import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Bindings, Effect, TableNode } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import { readPath } from '../../../shared/rules/path.ts';
import { partId } from '../../look/part-id.ts';
import { save } from '../../runtime/data/files.ts';
import { Dialog } from '../../runtime/effects/dialog.tsx';
import { useDocument } from '../../runtime/state/document-scope.tsx';
import { usePortalObject } from '../../runtime/state/portal.ts';
import { type Row, type Scope, withRow } from '../../runtime/state/scope.ts';
import { useStore } from '../../runtime/state/store.ts';
import { useSpeech } from '../../runtime/state/values.ts';
import { leadOf } from '../table/columns.ts';
import { keyOfRow } from '../table/selection.ts';
import { type BulkAction, type RowResult, type RowResults, runJob } from './bulk-run.ts';
import { ResultList } from './result-list.tsx';
import { writeResults } from './results-csv.ts';

type BulkDialogProps = {
  readonly node: TableNode;
  readonly action: BulkAction;
  readonly rows: readonly Row[];
  readonly scope: Scope;
  /** With the rows for which it was done. */
  readonly onClose: (done: readonly Row[]) => void;
};

const waiting: RowResult = { state: 'waiting' };

/**
 * The dialog of an action on several rows: asks first, makes a call per row, and shows the result of each. Failed rows
 * can be tried again, finished ones undone where the action has an undo, and a stopped run continued.
 */
export function BulkDialog({ node, action, rows: chosen, scope, onClose }: BulkDialogProps): ReactNode {
  const portal = usePortalObject();
  const document = useDocument();
  const speech = useSpeech();
  const { word } = speech;
  const isAsked = useStore(portal.question) !== undefined;
  // The rows as they were chosen: the table reads its own again meanwhile.
  const [rows] = useState(chosen);
  const [phase, setPhase] = useState<'asking' | 'running' | 'over'>('asking');
  const [results, setResults] = useState<RowResults>(new Map());
  const [isStopping, setStopping] = useState(false);
  const work = useRef({ isStopped: false });

  const fit = rows.filter(row => isMet(action.when, withRow(scope, row)));
  const leftOut = rows.filter(row => !fit.includes(row));
  const keyOf = (row: Row) => keyOfRow(row, node.key);
  const resultOf = (row: Row) => results.get(keyOf(row)) ?? waiting;
  const inState = (...states: readonly RowResult['state'][]) => fit.filter(row => states.includes(resultOf(row).state));
  const write = (text: typeof action.text | undefined) =>
    speech.text(text, { ...node.values, count: fit.length } as Bindings, scope);

  // Whoever leaves the page in the middle stops it.
  useEffect(
    () => () => {
      work.current.isStopped = true;
      portal.underWay.set(undefined);
    },
    [portal],
  );

  async function start(job: readonly Row[], effects: readonly Effect[], reached: 'done' | 'undone'): Promise<void> {
    const own = { isStopped: false };
    work.current = own;
    let ended = 0;
    const onResult = (row: Row, result: RowResult) => {
      if (result.state !== 'running') ended += 1;
      setResults(before => new Map(before).set(keyOf(row), result));
    };
    portal.underWay.set(() => word('bulk.leave', { done: ended, count: job.length }));
    setStopping(false);
    setPhase('running');
    const press = { portal, document, form: undefined, node: action.id, scope };
    try {
      await runJob({ rows: job, effects, reached, press, isStopped: () => own.isStopped, onResult });
    } finally {
      if (work.current === own) portal.underWay.set(undefined);
      setPhase('over');
    }
  }

  const lead = leadOf(node.columns);
  const nameOf = (row: Row) => speech.format(readPath(withRow(scope, row), lead?.path ?? ''), lead?.format);
  const detailOf = (row: Row) => speech.format(readPath(withRow(scope, row), lead?.detail ?? ''), 'text');
  const leftOutText = write(action.leftOut) || word('bulk.out');
  const reasonOf = (row: Row) => {
    const own = withRow(scope, row);
    const reason = action.reasons?.find(({ when }) => isMet(when, own));
    return reason ? speech.text(reason.text, node.values, own) : leftOutText;
  };
  const notesOf = (row: Row) => {
    const own = withRow(scope, row);
    const told = action.notes?.filter(({ when }) => isMet(when, own)) ?? [];
    return told.map(({ text, values }) => speech.text(text, values, own));
  };
  const title = write(action.question);

  function download(): void {
    const { detailTitle } = lead ?? {};
    const withDetail = (name: string, detail: string) => (detailTitle === undefined ? [name] : [name, detail]);
    const head = withDetail(speech.text(lead?.title, node.values, scope), speech.text(detailTitle, node.values, scope));
    const lines = [...fit, ...leftOut].map(row => {
      const { state, reason = '' } = resultOf(row);
      const told = leftOut.includes(row) ? [word('bulk.out'), reasonOf(row)] : [word(`bulk.${state}`), reason];
      return [...withDetail(nameOf(row), detailOf(row)), ...told];
    });
    const text = writeResults([[...head, word('bulk.result'), word('bulk.reason')], ...lines]);
    save(
      new Blob([text], { type: 'text/csv;charset=utf-8' }),
      `${word('bulk.file')} ${title.replace(/[\\/:*?"<>|]/g, '')}.csv`,
    );
  }

  const done = inState('done', 'undone');
  const failed = inState('failed', 'unknown');
  const open = inState('waiting');
  const button = (name: string, text: string, press: () => void, look = '') => (
    <button
      key={name}
      className={`button ${look}`}
      type="button"
      data-testid={partId(node.testId, `bulk-${name}`)}
      onClick={press}
    >
      <span className="button__text">{text}</span>
    </button>
  );
  const { undo } = action.on;
  const close = () => onClose(inState('done'));
  const stop = () => {
    work.current.isStopped = true;
    setStopping(true);
  };
  const foot = {
    asking: () => [
      button('cancel', word('bulk.cancel'), close),
      fit.length > 0 &&
        button(
          'begin',
          write(action.text),
          () => void start(fit, action.on.each, 'done'),
          action.danger ? 'button--danger' : 'button--primary',
        ),
    ],
    running: () => [button('stop', word(isStopping ? 'bulk.stopping' : 'bulk.stop'), stop)],
    over: () => [
      button('csv', word('bulk.csv'), download),
      undo &&
        inState('done').length > 0 &&
        button('undo', word('bulk.undo'), () => void start(inState('done'), undo, 'undone')),
      open.length > 0 &&
        button('go-on', word('bulk.goOn', { count: open.length }), () => void start(open, action.on.each, 'done')),
      failed.length > 0 &&
        button('retry', word('bulk.retry', { count: failed.length }), () => void start(failed, action.on.each, 'done')),
      button('close', word('bulk.close'), close, 'button--primary'),
    ],
  }[phase];

  return (
    <Dialog
      title={phase === 'asking' ? title : write(action.text)}
      closeable={phase !== 'running'}
      isTop={!isAsked}
      testId={partId(node.testId, 'bulk-dialog')}
      onClose={close}
      foot={foot()}
    >
      <div className="stack">
        {phase === 'asking' && action.explanation !== undefined && <p>{write(action.explanation)}</p>}
        {phase !== 'asking' && (
          <div className="row">
            <progress
              aria-label={title}
              max={fit.length}
              value={fit.length - open.length - inState('running').length}
            />
            <span>{word('bulk.progress', { done: done.length + failed.length, count: fit.length })}</span>
          </div>
        )}
        <p className={phase === 'over' ? undefined : 'visually-hidden'} role="status">
          {phase === 'running' && word('bulk.running')}
          {phase === 'over' && word('bulk.summary', { done: done.length, failed: failed.length, left: open.length })}
        </p>
        <ResultList
          rows={phase === 'over' ? [...failed, ...open, ...done] : fit}
          keyOf={keyOf}
          nameOf={nameOf}
          notesOf={phase === 'asking' ? notesOf : undefined}
          results={results}
          isBegun={phase !== 'asking'}
          testId={partId(node.testId, 'bulk-results')}
        />
        {leftOut.length > 0 && (
          <>
            <p>{word('bulk.leftOut', { count: leftOut.length })}</p>
            <ul className="list bulk-results" data-testid={partId(node.testId, 'bulk-left-out')}>
              {leftOut.map(row => (
                <li key={keyOf(row)}>
                  <span className="list__text">{nameOf(row)}</span>
                  <small>{reasonOf(row)}</small>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  );
}

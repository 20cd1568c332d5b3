import { type ReactNode, useState } from 'react';
import type { ScreenLayout } from '../../../shared/language/types.ts';
import { fillAddress } from '../../../shared/rules/path.ts';
import { Icon } from '../../look/icon.tsx';
import { openDocuments, type Portal, type UnknownActionsProps, usePortalObject, useSpeech } from '../state/portal.ts';
import { TicketLink } from './ticket-link.tsx';

/** Where the screen is reached from: its last crumb that leads somewhere. */
function placeBefore(portal: Portal): string | undefined {
  const open = portal.screen.get();
  if (!open || portal.popups.get().length > 0) return undefined;
  const { layout, data, state } = open.document;
  const scope = {
    data: data.get(),
    state: state.get(),
    route: portal.route.get(),
    principal: portal.boot.get().principal,
  };
  const { crumbs = [] } = layout.get().layout as ScreenLayout;
  return crumbs.map(({ to }) => fillAddress(to, scope)).findLast(to => to !== undefined);
}

/** Reads again all that is on the page; true when all of it could be read. */
async function readAll(portal: Portal): Promise<boolean> {
  const documents = openDocuments(portal);
  const reads = documents.flatMap(document => [...document.reads.values()]);
  await Promise.all(reads.map(read => new Promise<void>(read)));
  return documents.every(({ status }) => Object.values(status.get()).every(({ failed }) => failed === undefined));
}

/** The buttons shown when it is not known whether a press was carried out: look first, or press again. */
export function UnknownActions({ makes, reference, again, onChecked }: UnknownActionsProps): ReactNode {
  const portal = usePortalObject();
  const { word } = useSpeech();
  const [isReading, setReading] = useState(false);
  const place = makes ? placeBefore(portal) : undefined;
  const hasData = openDocuments(portal).some(({ reads }) => reads.size > 0);
  const check = async () => {
    setReading(true);
    if (await readAll(portal)) onChecked();
    setReading(false);
  };
  return (
    <div className="alert__actions">
      {place !== undefined ? (
        <a className="button button--small" href={place} target="_blank" rel="noopener" data-testid="unknown-check">
          <span className="button__text">{word('unknown.check')}</span>
          <Icon name="external" small />
          <span className="visually-hidden">{word('link.newTab')}</span>
        </a>
      ) : (
        hasData && (
          <button
            className="button button--small"
            type="button"
            aria-busy={isReading || undefined}
            data-testid="unknown-check"
            onClick={() => void (isReading || check())}
          >
            <span className="button__text">{word('unknown.check')}</span>
          </button>
        )
      )}
      <button className="button button--small" type="button" data-testid="unknown-again" onClick={again}>
        <span className="button__text">{word('retry')}</span>
      </button>
      <TicketLink reference={reference} />
    </div>
  );
}

import { escapeHtml } from '../http/escape-html.ts';
import { drawFacts, drawPage, type PageNotice } from '../http/own-page.ts';
import type { MessageKind, Priority } from './tables.ts';

/** A ticket that waits for support, with what was written on it. */
export type DeskTicket = {
  readonly id: number;
  readonly subject: string;
  readonly priority: Priority;
  readonly author: string;
  readonly reseller: string;
  readonly customer: string | null;
  readonly product: string;
  readonly screen: string;
  readonly reference: string;
  readonly failure: string;
  readonly phone: string;
  readonly messages: readonly {
    readonly author: string;
    readonly kind: MessageKind;
    readonly content: string;
    readonly at: Date;
    readonly files: readonly { readonly id: number; readonly name: string }[];
  }[];
};

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const drawFile = ({ id, name }: { readonly id: number; readonly name: string }): string =>
  `<br><a href="/tickets/files/${id}">${escapeHtml(name)}</a>`;

function drawTicket(ticket: DeskTicket, portalUrl: string): string {
  const { id, subject, priority, author, reseller, customer, product, screen, reference, failure, phone } = ticket;
  const about = [
    ['From', `${author}, ${reseller}`],
    ['Priority', priority],
    ...([
      ['Customer', customer ?? ''],
      ['Product', product],
      ['Number', reference],
      ['Failed', failure],
      ['Call', phone],
    ] as const),
  ].filter((fact): fact is [string, string] => fact[1] !== '');
  // It was checked to be a path of the portal when the ticket was opened.
  const page = screen === '' ? '' : `<p><a href="${escapeHtml(new URL(screen, portalUrl).href)}">Open the page</a></p>`;
  const thread = ticket.messages
    .map(
      ({ author: by, at, content, files }) =>
        `<p><b>${escapeHtml(by)}</b> ${moment.format(at)} UTC<br>${escapeHtml(content).replace(/\n/g, '<br>')}${files.map(drawFile).join('')}</p>`,
    )
    .join('');
  const button = (verb: string, name: string, plain = '') =>
    `<button formaction="/tickets/${id}/${verb}"${plain} aria-label="${name} ticket ${id}">${name}</button>`;
  return `<article><h2>${id}: ${escapeHtml(subject)}</h2>${drawFacts(about)}${page}${thread}<form method="post" action="/tickets/${id}/answer"><label>Answer to ticket ${id} <textarea name="content" maxlength="20000" required></textarea></label>${button('answer', 'Answer')}${button('ask', 'Ask', ' class="plain"')}</form><form method="post" action="/tickets/${id}/close">${button('close', 'Close', ' class="plain"')}</form></article>`;
}

/** Gives the HTML of the page on which the people of support answer tickets. */
export function deskPage(tickets: readonly DeskTicket[], portalUrl: string, said?: PageNotice): string {
  const body = tickets.map(ticket => drawTicket(ticket, portalUrl)).join('') || '<p>No ticket waits for support.</p>';
  return drawPage('Tickets', body, said);
}

import { escapeHtml } from '../http/escape-html.ts';
import { drawFacts, drawPage, type PageNotice } from '../http/own-page.ts';
import { countryOf } from './countries.ts';
import type { SignUp } from './tables.ts';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export type SignUpLists = { readonly waiting: readonly SignUp[]; readonly invited: readonly SignUp[] };

const drawWaiting = ({ id, company, name, email, phone, country, confirmed }: SignUp): string => {
  const { name: land, currency } = countryOf(country);
  const rows = [
    ['Name', name],
    ['Mail', email],
    ['Phone', phone],
    ['Country', `${land}, buys in ${currency}`],
    ['Confirmed', confirmed ? day.format(confirmed) : ''],
  ] as const;
  const of = escapeHtml(company);
  return `<article><h2>${of}</h2>${drawFacts(rows)}<form method="post" action="/sign-ups/${id}/accept"><button aria-label="Accept ${of}">Accept</button></form><form method="post" action="/sign-ups/${id}/decline"><label>Why ${of} is declined <textarea name="reason" maxlength="500" required></textarea></label><button class="plain" aria-label="Decline ${of}">Decline</button></form></article>`;
};

const drawInvited = ({ id, company, name, email }: SignUp): string => {
  const rows = [
    ['Name', name],
    ['Mail', email],
  ] as const;
  const of = escapeHtml(company);
  return `<article><h2>${of}</h2>${drawFacts(rows)}<form method="post" action="/sign-ups/${id}/invite"><button class="plain" aria-label="Invite ${of} again">Send the invitation again</button></form></article>`;
};

/** Gives the HTML of the page on which the cloud accepts and declines requests of resellers. */
export function signUpPage({ waiting, invited }: SignUpLists, said?: PageNotice): string {
  const requests = waiting.map(drawWaiting).join('') || '<p>No request waits.</p>';
  const invitations = invited.length > 0 ? `<h1>Invited, no password yet</h1>${invited.map(drawInvited).join('')}` : '';
  return drawPage('Requests of resellers', requests + invitations, said);
}

import type { Selectable } from 'kysely';
import { notFound } from '../http/errors.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { isLoopback, requireOwnHost } from '../http/own-host.ts';
import type { App } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Tables } from '../tables.ts';
import { type PrintedBrand, printedBrandOf, writeBranded } from './branded.ts';

/**
 * Adds the page that shows the mails of the sandbox, the newest first, to requests from this machine. Their state is
 * shown when an SMTP server takes them.
 */
export function addOutboxRoutes(app: App, { db, sendsMail: isSent }: Parts): void {
  app.get('/outbox', { schema: { hide: true }, onRequest: requireOwnHost }, async ({ socket }, reply) => {
    if (!isLoopback(socket.remoteAddress)) throw notFound();
    const mails = await db.selectFrom('outbox').selectAll().orderBy('id', 'desc').limit(100).execute();
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:");
    const shown = await Promise.all(
      mails.map(async mail => asHtml(mail, isSent, await printedBrandOf(db, mail.reseller_id))),
    );
    reply.type('text/html; charset=utf-8');
    return `<!doctype html><html lang="en"><title>Outbox</title>
<style>body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}</style>
<h1>Outbox</h1>${shown.join('') || '<p>No mail yet.</p>'}</html>`;
  });
}

const day = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric' });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
/** dd/MM/yyyy HH:mm, as everywhere (document 2, section 9), by the clock of this machine. */
const writeMoment = (moment: Date): string => `${day.format(moment)} ${time.format(moment)}`;

type Mail = Selectable<Tables['outbox']>;

function asHtml(mail: Mail, isSent: boolean, brand: PrintedBrand | undefined): string {
  const { created, recipient, subject, body } = mail;
  const head = `${escapeHtml(recipient)}, <time datetime="${created.toISOString()}">${writeMoment(created)}</time>`;
  const state = isSent || mail.state === 'blocked' ? `<p>${escapeHtml(stateOf(mail))}</p>` : '';
  const text = escapeHtml(body).replace(/https?:\/\/[^\s]+/g, '<a href="$&">$&</a>');
  if (brand) {
    const source = `data:image/png;base64,${brand.logo?.content.toString('base64') ?? ''}`;
    return `<article><h2>${escapeHtml(subject)}</h2><p>To ${head}</p>${state}${writeBranded(body, brand, source)}</article>`;
  }
  return `<article><h2>${escapeHtml(subject)}</h2><p>To ${head}</p>${state}<pre>${text}</pre></article>`;
}

function stateOf({ state, attempts, failure }: Mail): string {
  if (state === 'sent') return 'Sent';
  if (state === 'blocked') return 'Not sent: the reseller has blocked mails of this kind.';
  if (state === 'given-up') return `Given up: ${failure}`;
  return failure === null ? 'Waiting' : `Waiting after ${attempts} attempts: ${failure}`;
}

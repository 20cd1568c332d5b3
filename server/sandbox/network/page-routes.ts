import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { escapeHtml } from '../http/escape-html.ts';
import { idOf } from '../http/ids.ts';
import { drawPage, guardPage, type PageNotice, pageHeaders } from '../http/own-page.ts';
import type { App } from '../http/schema.ts';
import { readForms } from '../http/server.ts';
import type { Parts } from '../parts.ts';
import { announce, endEvent } from './announce.ts';
import { listEvents, type NetworkEvent, readStatus } from './status.ts';
import { eventKinds } from './tables.ts';

const words = { Good: 'Works', Degraded: 'Degraded', Outage: 'Outage', Maintenance: 'Maintenance' } as const;
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
type Status = Awaited<ReturnType<typeof readStatus>>;

const drawEvent = ({ Component, Kind, Title, Content, Starts, Ends, State }: NetworkEvent): string =>
  `<h2>${escapeHtml(Title)}</h2><p>${escapeHtml(Component)}: ${State === 'Over' ? 'over' : words[Kind]}. ${moment.format(Starts)}${Ends ? ` to ${moment.format(Ends)}` : ''} UTC</p><p>${escapeHtml(Content)}</p>`;

const drawStatus = ({ Components }: Status): string =>
  `<article><dl>${Components.map(({ Name, State }) => `<dt>${escapeHtml(Name)}</dt><dd>${words[State]}</dd>`).join('')}</dl></article>`;

function drawDesk({ Components }: Status, events: readonly NetworkEvent[]): string {
  const option = (value: string, name: string) => `<option value="${value}">${escapeHtml(name)}</option>`;
  const open = events
    .filter(({ State }) => State !== 'Over')
    .map(
      found =>
        `<article>${drawEvent(found)}<form method="post" action="/network/${found.EventId}/end"><button>End ${escapeHtml(found.Title)}</button></form></article>`,
    );
  return `<article><h2>Announce</h2><form method="post" action="/network/announce"><label>Component <select name="component">${Components.map(({ ComponentId, Name }) => option(ComponentId, Name)).join('')}</select></label><label>Kind <select name="kind">${eventKinds.map(kind => option(kind, words[kind])).join('')}</select></label><label>Title <input name="title" maxlength="150" required></label><label>What it means <textarea name="content" maxlength="2000"></textarea></label><label>Begins, in UTC <input name="starts" type="datetime-local"></label><label>Ends, in UTC <input name="ends" type="datetime-local"></label><button>Announce</button></form></article>${open.join('')}`;
}

function drawFeed(events: readonly NetworkEvent[], address: string, now: Date): string {
  const entries = events.map(
    ({ EventId, Component, Title, Content, Updated, State, Kind }) =>
      `<entry><id>urn:network-event:${EventId}</id><title>${escapeHtml(`${Component}: ${Title}`)}</title><updated>${Updated.toISOString()}</updated><link href="${escapeHtml(address)}"/><category term="${State === 'Over' ? 'Over' : Kind}"/><content type="text">${escapeHtml(Content)}</content></entry>`,
  );
  const updated = events.map(({ Updated }) => Updated.toISOString()).sort();
  return `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:network-status</id><title>Network status</title><updated>${updated.at(-1) ?? now.toISOString()}</updated><author><name>Support</name></author><link href="${escapeHtml(address)}"/>${entries.join('')}</feed>`;
}

/** A moment of a form in UTC; null where nothing or nothing that is one was typed. */
const momentOf = (text = ''): Date | null => {
  const at = new Date(`${text}Z`);
  return text === '' || Number.isNaN(at.getTime()) ? null : at;
};

/**
 * Adds the status page of the cloud and its Atom feed (RFC 4287), for everybody, and `/network`, where whoever operates the
 * sandbox announces what disturbs it, to requests from this machine.
 */
export function addNetworkPages(app: App, { db, portalUrl, now }: Parts): void {
  app.register(async (scope: App) => {
    readForms(scope);
    const hidden = { schema: { hide: true } };
    scope.get('/status', hidden, async (_request, reply) => {
      const [status, events] = await Promise.all([readStatus(db, now()), listEvents(db, now())]);
      const told = events.map(found => `<article>${drawEvent(found)}</article>`).join('');
      const feed = '<p><a href="/status.atom">Atom feed</a></p>';
      return reply.headers(pageHeaders).send(drawPage('Network status', drawStatus(status) + told + feed));
    });
    scope.get('/status.atom', hidden, async (_request, reply) => {
      const page = new URL('/support/network-status', portalUrl).href;
      return reply.type('application/atom+xml; charset=utf-8').send(drawFeed(await listEvents(db, now()), page, now()));
    });

    const guarded = { ...hidden, onRequest: guardPage };
    const show = async (reply: FastifyReply, said?: PageNotice) => {
      const [status, events] = await Promise.all([readStatus(db, now()), listEvents(db, now())]);
      return reply.headers(pageHeaders).send(drawPage('Network', drawDesk(status, events), said));
    };
    scope.get('/network', guarded, (_request, reply) => show(reply as FastifyReply));
    scope.post('/network/announce', { ...guarded, bodyLimit: 16_384 }, async (request, answer) => {
      const reply = answer as FastifyReply;
      const given = (request.body ?? {}) as Readonly<Record<string, string | undefined>>;
      const kind = eventKinds.find(one => one === given.kind);
      const title = (given.title ?? '').replaceAll('\0', '').trim().slice(0, 150);
      const starts = momentOf(given.starts) ?? now();
      const ends = kind === 'Maintenance' ? momentOf(given.ends) : null;
      const { rows } = await sql<{ id: string }>`
        select id from network_components where id = ${given.component ?? ''}`.execute(db);
      if (!kind || title === '' || !rows[0] || (ends && ends <= starts))
        return show(reply.code(400), {
          text: 'Choose a component and a kind, say a title, and end after it begins.',
          isBad: true,
        });
      const content = (given.content ?? '').replaceAll('\0', '').trim().slice(0, 2000);
      const announced = { component: rows[0].id, kind, title, content, starts, ends };
      await db.transaction().execute(trx => announce(trx, announced, now()));
      return show(reply, { text: `${title}: announced.` });
    });
    scope.post('/network/:id/end', guarded, async (request, reply) => {
      const { id } = request.params as { readonly id: string };
      await db.transaction().execute(trx => endEvent(trx, idOf(id), now()));
      return show(reply as FastifyReply, { text: 'It is over.' });
    });
  });
}

import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../http/escape-html.ts';
import { idOf } from '../http/ids.ts';
import { drawPage, guardPage, type PageNotice, pageHeaders } from '../http/own-page.ts';
import type { App } from '../http/schema.ts';
import { readForms } from '../http/server.ts';
import type { Parts } from '../parts.ts';
import type { StoredRecord } from './dns/records.ts';
import { recordKinds } from './tables.ts';

const mostRecords = 5000;
const shownRecords = 200;
const namePattern = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9-]{1,63}$/;
const faults = ['SERVFAIL', 'SILENT', 'TRUNCATED'];

/** Reads a record that was typed; undefined where it is none. */
function readRecord(given: Readonly<Record<string, string | undefined>>): StoredRecord | undefined {
  const name = (given.name ?? '').trim().toLowerCase();
  const type = recordKinds.find(kind => kind === given.type);
  const value = (given.value ?? '').trim();
  if (!namePattern.test(name) || !type || value === '' || value.length > 4000 || value.includes('\0')) return undefined;
  if (type === 'MX' && !(/^\d{1,5} \S+$/.test(value) && namePattern.test(value.replace(/^\d+ /, '').toLowerCase())))
    return undefined;
  if (type === 'CNAME' && !namePattern.test(value.toLowerCase())) return undefined;
  if (type === 'FAULT' && !faults.includes(value)) return undefined;
  return { name, type, value };
}

/** Adds `/dns`, where whoever operates the sandbox sets the records that its DNS server answers, to requests from this machine. */
export function addDnsPages(app: App, { db, dnsServer }: Parts): void {
  app.register(async (scope: App) => {
    readForms(scope);
    const guarded = { schema: { hide: true }, onRequest: guardPage };
    const show = async (reply: FastifyReply, search = '', said?: PageNotice) => {
      const address = await dnsServer.address();
      const rows = await db
        .selectFrom('dns_records')
        .selectAll()
        .where('name', 'like', `%${search.replace(/[\\%_]/g, '\\$&')}%`)
        .orderBy('name')
        .orderBy('id')
        .limit(shownRecords)
        .execute();
      const drawn = rows.map(
        ({ id, name, type, value }) =>
          `<article><p>${escapeHtml(`${name} ${type} ${value}`)}</p><form method="post" action="/dns/${id}/delete"><button class="plain">Delete ${escapeHtml(type)} of ${escapeHtml(name)}</button></form></article>`,
      );
      const form = `<article><p>The DNS server answers at ${address}, by UDP and TCP.</p><form method="post" action="/dns"><label>Name <input name="name" required></label><label>Type <select name="type">${recordKinds.map(kind => `<option>${kind}</option>`).join('')}</select></label><label>Value <textarea name="value" required></textarea></label><p>MX: 10 mx.example. TXT: strings in quotation marks stay apart. FAULT: ${faults.join(', ')}.</p><button>Add</button></form></article><form method="get" action="/dns"><label>Find names <input name="search" value="${escapeHtml(search)}"></label><button class="plain">Find</button></form>`;
      return reply.headers(pageHeaders).send(drawPage('DNS records', form + drawn.join(''), said));
    };
    scope.get('/dns', guarded, (request, reply) => {
      const { search = '' } = request.query as { readonly search?: string };
      return show(reply as FastifyReply, String(search).replaceAll('\0', '').slice(0, 253));
    });
    scope.post('/dns', { ...guarded, bodyLimit: 16_384 }, async (request, answer) => {
      const reply = answer as FastifyReply;
      const record = readRecord((request.body ?? {}) as Readonly<Record<string, string | undefined>>);
      if (!record) return show(reply.code(400), '', { text: 'This is no record.', isBad: true });
      const { all } = await db
        .selectFrom('dns_records')
        .select(({ fn }) => fn.countAll<number>().as('all'))
        .executeTakeFirstOrThrow();
      if (Number(all) >= mostRecords) return show(reply.code(409), '', { text: 'There is no room.', isBad: true });
      await db
        .insertInto('dns_records')
        .values(record)
        .onConflict(known => known.doNothing())
        .execute();
      return show(reply, record.name, { text: 'The record was added.' });
    });
    scope.post('/dns/:id/delete', guarded, async (request, reply) => {
      const { id } = request.params as { readonly id: string };
      await db.deleteFrom('dns_records').where('id', '=', idOf(id)).execute();
      return show(reply as FastifyReply, '', { text: 'The record was deleted.' });
    });
  });
}

import { notFound } from '../http/errors.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { isLoopback, requireOwnHost } from '../http/own-host.ts';
import type { App } from '../http/schema.ts';
import type { Parts } from '../parts.ts';

/** Adds the page that lists what was searched in the knowledge base in vain, most often first, to requests from this machine. */
export function addMissesPage(app: App, { db }: Parts): void {
  app.get('/not-found-articles', { schema: { hide: true }, onRequest: requireOwnHost }, async ({ socket }, reply) => {
    if (!isLoopback(socket.remoteAddress)) throw notFound();
    const misses = await db
      .selectFrom('kb_misses')
      .selectAll()
      .orderBy('count', 'desc')
      .orderBy('term')
      .limit(200)
      .execute();
    const rows = misses.map(
      ({ term, count, last }) =>
        `<tr><td>${escapeHtml(term)}<td>${count}<td><time>${last.toISOString().slice(0, 10)}</time>`,
    );
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    reply.type('text/html; charset=utf-8');
    return `<!doctype html><html lang="en"><title>Searched in vain</title>
<style>body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}td,th{text-align:start;padding-inline-end:2rem}</style>
<h1>Searched in vain</h1>${rows.length > 0 ? `<table><tr><th>Words<th>Times<th>Last${rows.join('')}</table>` : '<p>Everything was found.</p>'}</html>`;
  });
}

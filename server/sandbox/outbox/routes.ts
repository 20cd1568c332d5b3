import type { Database } from '../database/connect.ts';
import { notFound } from '../http/errors.ts';
import type { App } from '../http/schema.ts';

/** The mail that the cloud would have sent, newest first, for whoever sits at this machine. */
export function addOutboxRoutes(app: App, db: Database): void {
  app.get('/outbox', { schema: { hide: true } }, async ({ socket }, reply) => {
    if (!isLoopback(socket.remoteAddress)) throw notFound();
    const mails = await db.selectFrom('outbox').selectAll().orderBy('id', 'desc').limit(100).execute();
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    reply.type('text/html; charset=utf-8');
    return `<!doctype html><html lang="en"><title>Outbox</title>
<style>body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap}</style>
<h1>Outbox</h1>${mails.map(asHtml).join('') || '<p>No mail yet.</p>'}</html>`;
  });
}

type Mail = { created: Date; recipient: string; subject: string; body: string };

function asHtml({ created, recipient, subject, body }: Mail): string {
  const head = `${escapeHtml(recipient)}, <time>${created.toISOString()}</time>`;
  return `<article><h2>${escapeHtml(subject)}</h2><p>To ${head}</p><pre>${escapeHtml(body)}</pre></article>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

function isLoopback(address = ''): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

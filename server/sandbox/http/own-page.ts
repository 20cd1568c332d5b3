import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { notFound } from './errors.ts';
import { escapeHtml } from './escape-html.ts';
import { isLoopback, requireOwnHost } from './own-host.ts';

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;--line:light-dark(#6f767b,#8d959b);--accent:light-dark(#0b6472,#5cc4d3);--on:light-dark(#fff,#06272d)}
*{box-sizing:border-box}body{margin:0;padding:1rem;background:light-dark(#f6f7f8,#111517);color:light-dark(#1b2024,#eef1f3)}
main{max-width:44rem;margin:0 auto;display:grid;gap:1rem}h1{font-size:1.375rem;line-height:1.3;margin:1rem 0 0}h2{font-size:1.125rem;margin:0}p{margin:0}
article{display:grid;gap:.75rem;padding:1rem;background:light-dark(#fff,#191e21);border:1px solid light-dark(#dfe3e5,#333a3e);border-radius:.75rem;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:0}dt{color:light-dark(#555c61,#b3bac0)}dd{margin:0}
form{display:grid;gap:.5rem}label{display:grid;gap:.25rem;font-weight:600}textarea{font:inherit;font-weight:400;width:100%;min-height:4.5rem;padding:.5rem .625rem;border:1px solid var(--line);border-radius:.375rem;background:transparent;color:inherit}
button{font:inherit;font-weight:600;justify-self:start;min-height:2.75rem;padding:.5rem 1rem;border:1px solid var(--accent);border-radius:.375rem;background:var(--accent);color:var(--on);cursor:pointer}
button.plain{background:transparent;color:inherit;border-color:var(--line)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.said{padding:.75rem 1rem;border-radius:.5rem;background:light-dark(#e4f4ea,#17331f);color:light-dark(#14532d,#b5e6c4)}.bad{background:light-dark(#fdecec,#3a1c1e);color:light-dark(#8f1d22,#ffb4b4)}`;

const digest = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/**
 * Security headers of a page of the sandbox itself. Browsers name the origin of a form only where a page lets them, and the page
 * takes forms from its own origin alone.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${digest}; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Lets this machine in, and forms of the page itself: no other site acts through the browser of whoever has it open. */
export async function guardPage(request: FastifyRequest): Promise<void> {
  await requireOwnHost(request);
  const { method, headers, socket } = request;
  if (!isLoopback(socket.remoteAddress)) throw notFound();
  if (method === 'POST' && headers.origin !== `http://${headers.host}`) throw notFound();
}

/** Says above a page what was done, or why not. */
export type PageNotice = { readonly text: string; readonly isBad?: boolean };

/** Draws names with their values. */
export const drawFacts = (rows: readonly (readonly [string, string])[]): string =>
  `<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`;

/** Draws a page of the sandbox itself, for whoever operates it; `body` is HTML. */
export function drawPage(title: string, body: string, said?: PageNotice): string {
  const told = said ? `<p class="said${said.isBad ? ' bad' : ''}" role="status">${escapeHtml(said.text)}</p>` : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,"><style>${style}</style></head><body><main><h1>${title}</h1>${told}${body}</main></body></html>`;
}

import { createHash } from 'node:crypto';
import type { Wording } from '../../layouts/index.ts';
import { escapeText } from './document.ts';

const script = 'document.forms[0].submit()';
const digest = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** The policy of the page: it runs its one line and sends its form to that origin, and nothing else. */
export const handOverPolicy = (to: string): string =>
  `default-src 'none'; script-src ${digest}; img-src data:; form-action ${new URL(to).origin}; base-uri 'none'; frame-ancestors 'none'`;

/** Writes the page that sends a token to another site as a form, so that no address and no log holds it. */
export function writeHandOver({ lang, serverText }: Wording, to: string, token: string): string {
  const title = escapeText(serverText('page.handOver'));
  return `<!doctype html>
<html lang="${escapeText(lang)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="data:,"></head>
<body><form method="post" action="${escapeText(to)}"><input type="hidden" name="token" value="${escapeText(token)}"><button>${title}</button></form><script>${script}</script></body>
</html>
`;
}

import { createHash } from 'node:crypto';
import type { Wording } from '../../layouts/index.ts';
import { escapeText } from './document.ts';

const script = 'document.forms[0].submit()';
const digest = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/**
 * The policy of the page: it runs its one line and sends its form to that origin, and nothing else. `framedBy` is who may
 * frame it: nobody, but for the page of the live chat.
 */
export const handOverPolicy = (to: string, framedBy: "'none'" | "'self'"): string =>
  `default-src 'none'; script-src ${digest}; img-src data:; form-action ${new URL(to).origin}; base-uri 'none'; frame-ancestors ${framedBy}`;

/**
 * Writes the page that sends fields, such as a token, to another site as a form, so that no address and no log holds
 * them.
 */
export function writeHandOver(
  { lang, serverText }: Wording,
  to: string,
  fields: Readonly<Record<string, string>>,
): string {
  const title = escapeText(serverText('page.handOver'));
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeText(value)}">`)
    .join('');
  return `<!doctype html>
<html lang="${escapeText(lang)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="data:,"></head>
<body><form method="post" action="${escapeText(to)}">${inputs}<button>${title}</button></form><script>${script}</script></body>
</html>
`;
}

import type { LogoImage, Look } from '../../../shared/contract/boot.ts';
import { type HostedPage, hostedPageElement } from '../../../shared/contract/hosted-page.ts';
import { type LiveChat, liveChatElement } from '../../../shared/contract/live-chat.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Wording } from '../../layouts/index.ts';
import type { ClientFiles } from './client-files.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Escapes a text for HTML, in an element or a quoted attribute. */
export const escapeText = (text: string): string => text.replace(/[&<>"]/g, character => escapes[character] as string);

/** Escapes JSON for a script element: no `<` can end the element or begin a comment. */
export const escapeJson = (json: string): string =>
  json
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');

export type DocumentParts = Wording & {
  readonly client: ClientFiles | undefined;
  readonly title: string;
  /** JSON of the parts of a Page. */
  readonly boot: string;
  readonly screen: string;
  readonly notices: string;
  /** What the page frames, if anything. */
  readonly hostedPage?: HostedPage | undefined;
  readonly liveChat?: LiveChat | undefined;
  /** How a brand looks, and its style sheet. */
  readonly look?: Look | undefined;
  readonly style?: string | undefined;
};

/** Asks for the logo with the page, and not only once the page's own code draws it. */
function logoLinks({ logo, phoneLogo }: Partial<Look> = {}): readonly string[] {
  const link = (image: LogoImage | undefined, media: string) =>
    image ? [`<link rel="preload" as="image" href="${escapeText(image.src)}"${media}>`] : [];
  if (!phoneLogo) return link(logo, '');
  return [...link(logo, ' media="(min-width:768px)"'), ...link(phoneLogo, ' media="(max-width:767px)"')];
}

/**
 * Gives the HTML of a page with the boot, the layout and the first data as JSON. Its only scripts are the files of
 * `client`.
 */
export function writeDocument(parts: DocumentParts): string {
  const { client, lang, title, serverText, boot, screen, notices, hostedPage, liveChat, look, style } = parts;
  const theme = look?.theme ? ` data-theme="${look.theme}" data-base="${look.theme}"` : '';
  const links = client
    ? [
        `<link rel="stylesheet" href="${client.css}">`,
        ...[client.main, ...client.preload].map(address => `<link rel="modulepreload" href="${address}">`),
        `<script src="${client.start}" data-main="${client.main}" defer></script>`,
      ]
    : [];
  if (style !== undefined) links.splice(1, 0, `<style>${style}</style>`, ...logoLinks(look));
  const framed = [
    [hostedPageElement, hostedPage],
    [liveChatElement, liveChat],
  ]
    .filter(([, opened]) => opened !== undefined)
    .map(
      ([id, opened]) => `<script type="application/json" id="${id}">${escapeJson(JSON.stringify(opened))}</script>\n`,
    )
    .join('');
  return `<!doctype html>
<html lang="${escapeText(lang)}"${theme}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)}</title>
<link rel="icon" href="data:,">
${links.join('\n')}
</head>
<body>
<div id="root"></div>
<noscript>${escapeText(serverText('page.noScript'))}</noscript>
${framed}<script type="application/json" id="boot">${escapeJson(`{"boot":${boot},"screen":${screen},"notices":${notices}}`)}</script>
</body>
</html>
`;
}

/**
 * Gives an HTML page for a request that cannot have its own: the message of `code`, the reference for the log, and a
 * link to try again; with `support` also one to that address. With `start` (address of the first script) the page also
 * loads that script, which tries again by itself.
 */
export function writeFailure(
  { lang, serverText }: Wording,
  code: ErrorCode,
  reference: string,
  { start, support }: { readonly start?: string | undefined; readonly support?: string | undefined } = {},
): string {
  const ask =
    support === undefined
      ? ''
      : `<p><a href="${escapeText(support)}">${escapeText(serverText('page.support'))}</a></p>`;
  const trying = escapeText(serverText('page.trying'));
  const script = start === undefined ? '' : `<script src="${start}" data-trying="${trying}" defer></script>`;
  const message = escapeText(serverText(`error.${code}`));
  return `<!doctype html>
<html lang="${escapeText(lang)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${message}</title>${script}</head>
<body><main><h1>${message}</h1><p>${escapeText(serverText('page.reference', { reference }))}</p><p><a href="">${escapeText(serverText('page.again'))}</a></p>${ask}</main></body>
</html>
`;
}

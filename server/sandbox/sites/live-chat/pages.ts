import { createHash } from 'node:crypto';
import { escapeHtml } from '../../http/escape-html.ts';
import type { ChatMessage, Visitor } from './conversation.ts';

/** Characters of one message. */
export const longestMessage = 2000;

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;--line:light-dark(#6f767b,#8d959b);--quiet:light-dark(#555c61,#b3bac0);--accent:light-dark(#0b6472,#5cc4d3);--on:light-dark(#fff,#06272d);--soft:light-dark(#eef1f3,#23292d)}
*{box-sizing:border-box}html,body{height:100%}body{margin:0;display:grid;grid-template-rows:auto minmax(0,1fr) auto;background:light-dark(#fff,#15191c);color:light-dark(#1b2024,#eef1f3)}
header,footer{padding:.625rem 1rem;border:solid light-dark(#dfe3e5,#333a3e);border-width:0 0 1px}footer{border-width:1px 0 0}
h1{font-size:1rem;margin:0}header p{margin:0;font-size:.875rem;color:var(--quiet);overflow-wrap:anywhere}
main{overflow-y:auto;padding:1rem}ol{list-style:none;margin:0;padding:0;display:grid;gap:.75rem}
li{max-width:85%;padding:.5rem .75rem;border-radius:.75rem;background:var(--soft);justify-self:start;white-space:pre-wrap;overflow-wrap:anywhere}
li.own{justify-self:end;background:var(--accent);color:var(--on)}li small{display:block;font-size:.75rem;opacity:.85}
footer{display:grid;gap:.5rem}form{display:grid;grid-template-columns:1fr auto;gap:.5rem;align-items:end}label{font-size:.875rem;font-weight:600;grid-column:1/-1}
textarea{font:inherit;width:100%;min-height:2.75rem;max-height:8rem;padding:.5rem .625rem;border:1px solid var(--line);border-radius:.375rem;background:transparent;color:inherit;resize:vertical}
button{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1rem;border:1px solid var(--accent);border-radius:.375rem;background:var(--accent);color:var(--on);cursor:pointer}
form.plain{grid-template-columns:1fr}form.plain button{background:transparent;color:inherit;border-color:var(--line)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.bad{margin:0;color:light-dark(#a3161c,#ffb0b0);font-size:.875rem}.alone{padding:1rem}`;

/** Tells the page around that the chat is there, and shows the newest message; Enter sends, and with Shift begins a line. */
const script = `const said=JSON.parse(document.getElementById('said').textContent);parent.postMessage({kind:'ready'},said.to);const main=document.querySelector('main');main.scrollTop=main.scrollHeight;const box=document.querySelector('textarea');if(said.writes)box.focus();box.addEventListener('keydown',event=>{if(event.key==='Enter'&&!event.shiftKey&&!event.isComposing){event.preventDefault();if(box.value.trim())box.form.requestSubmit()}});`;

const digestOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Gives the security headers of the chat's pages. `portal` is the only origin that may frame them. */
export const chatHeaders = (portal: string): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${digestOf(style)}; script-src ${digestOf(script)}; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors ${portal}`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
});

const draw = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,"><style>${style}</style></head><body>${body}</body></html>`;

/** The contents of a page of the chat. */
export type ChatPage = {
  readonly visitor: Visitor;
  readonly visit: string;
  readonly messages: readonly ChatMessage[];
  /** The text that was not taken, and why. */
  readonly refused?: { readonly text: string; readonly why: string } | undefined;
  /** True: the page answers what somebody wrote, who goes on writing. */
  readonly writes: boolean;
  readonly portal: string;
};

function drawMessage({ at, byAgent, content }: ChatMessage): string {
  const who = byAgent ? 'Support' : 'You';
  const when = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<li${byAgent ? '' : ' class="own"'}><small>${who}, ${when}</small>${escapeHtml(content)}</li>`;
}

/** Writes the page of a conversation. */
export function chatPage({ visitor, visit, messages, refused, writes, portal }: ChatPage): string {
  const key = `<input type="hidden" name="visit" value="${escapeHtml(visit)}">`;
  const why = refused ? `<p class="bad" role="alert">${escapeHtml(refused.why)}</p>` : '';
  const hasWritten = messages.some(({ byAgent }) => !byAgent);
  const ticket = hasWritten
    ? `<form class="plain" method="post" action="/ticket">${key}<button>Make it a ticket</button></form>`
    : '';
  const said = JSON.stringify({ to: portal, writes }).replace(/</g, '\\u003c');
  const who = `${visitor.name} (${visitor.email}), ${visitor.organisation}`;
  return draw(
    'Live chat',
    `<header><h1>Live chat with support</h1><p>You are ${escapeHtml(who)}</p></header>
<main tabindex="0" aria-label="What was written"><ol role="log">${messages.map(drawMessage).join('')}</ol></main>
<footer>${why}<form method="post" action="/message">${key}<label for="text">Message</label><textarea id="text" name="text" rows="1" maxlength="${longestMessage}" required>${escapeHtml(refused?.text ?? '')}</textarea><button>Send</button></form>${ticket}</footer>
<script type="application/json" id="said">${said}</script><script>${script}</script>`,
  );
}

/** Writes the page of who may not come in; the page around hears nothing of it, and offers another way. */
export const overPage = (): string =>
  draw(
    'Live chat',
    '<main class="alone"><p role="alert">This way into the chat was used already, or is too old. Open the chat again from the portal.</p></main>',
  );

import { createHash } from 'node:crypto';
import { escapeHtml } from '../../http/escape-html.ts';
import type { FieldError, Form } from './card-form.ts';

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;--line:light-dark(#6f767b,#8d959b);--accent:light-dark(#0b5cab,#7fb8f0);--on:light-dark(#fff,#061c30);--bad:light-dark(#a3161c,#ffb0b0)}
*{box-sizing:border-box}body{margin:0;padding:1rem;background:light-dark(#fff,#15191c);color:light-dark(#1b2024,#eef1f3)}
h1{font-size:1.125rem;margin:0 0 .75rem}p{margin:0 0 .75rem}form{display:grid;gap:.875rem}.pair{display:grid;grid-template-columns:1fr 1fr;gap:.875rem}
label,.field{display:grid;gap:.25rem;font-weight:600}input{font:inherit;font-weight:400;width:100%;padding:.5rem .625rem;border:1px solid var(--line);border-radius:.375rem;background:transparent;color:inherit}
input[aria-invalid]{border-color:var(--bad)}.check{grid-template-columns:auto 1fr;align-items:center;font-weight:400}.check input{width:auto}
.error{color:var(--bad);font-weight:400;font-size:.875rem}button{font:inherit;font-weight:600;padding:.625rem 1rem;border:1px solid var(--accent);border-radius:.375rem;background:var(--accent);color:var(--on);cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`;

/** Tells the page around what it was given to say; where the page around is another one the browser keeps it. */
const script = `const said=JSON.parse(document.getElementById('said').textContent);for(const one of said.messages)parent.postMessage(one,said.to);parent.postMessage({...said.frame,height:document.documentElement.scrollHeight},said.to);`;

const digestOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Gives the security headers of the card provider's pages. `host` is the only origin that may frame them. */
export const pageHeaders = (host: string): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${digestOf(style)}; script-src ${digestOf(script)}; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors ${host}`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

/** Messages of the page to the page around it: each carries the nonce that the page was opened with. */
export type PageMessages = { readonly host: string; readonly nonce: string; readonly messages: readonly object[] };

function document(title: string, body: string, { host, nonce, messages }: PageMessages): string {
  const signed = messages.map(message => ({ ...message, nonce }));
  const said = JSON.stringify({ to: host, messages: signed, frame: { kind: 'height', nonce } }).replace(
    /</g,
    '\\u003c',
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main><script type="application/json" id="said">${said}</script><script>${script}</script></body></html>`;
}

type Input = { readonly name: string; readonly label: string; readonly attributes: string; readonly isSecret?: true };

const cardInputs: readonly Input[] = [
  {
    name: 'cardNumber',
    label: 'Card number',
    attributes: 'inputmode="numeric" autocomplete="cc-number" maxlength="23"',
    isSecret: true,
  },
  { name: 'cardHolder', label: 'Name on the card', attributes: 'autocomplete="cc-name" maxlength="80"' },
  { name: 'expiry', label: 'Expires (MM/YY)', attributes: 'inputmode="numeric" autocomplete="cc-exp" maxlength="7"' },
  {
    name: 'cvv',
    label: 'Security code',
    attributes: 'inputmode="numeric" autocomplete="cc-csc" maxlength="4"',
    isSecret: true,
  },
];
const holder: Input = {
  name: 'accountHolder',
  label: 'Account holder',
  attributes: 'autocomplete="name" maxlength="80"',
};
const poundInputs: readonly Input[] = [
  holder,
  { name: 'sortCode', label: 'Sort code', attributes: 'inputmode="numeric" maxlength="8"' },
  { name: 'accountNumber', label: 'Account number', attributes: 'inputmode="numeric" maxlength="10"' },
];
const euroInputs: readonly Input[] = [holder, { name: 'iban', label: 'IBAN', attributes: 'maxlength="42"' }];

function drawInput({ name, label, attributes, isSecret }: Input, form: Form, errors: readonly FieldError[]): string {
  const wrong = errors.find(({ key }) => key === name);
  const error = wrong ? `<span class="error" id="${name}-error">${escapeHtml(wrong.message)}</span>` : '';
  const invalid = wrong ? ` aria-invalid="true" aria-describedby="${name}-error"` : '';
  // A number or security code is typed anew.
  const value = isSecret ? '' : escapeHtml(form[name] ?? '');
  return `<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}" ${attributes}${invalid}>${error}</div>`;
}

/** Gives the HTML of the card provider's form for a card or a bank account, with the errors of what was typed. */
export function formPage(
  asked: { readonly kind: 'card' | 'directDebit'; readonly currency: string },
  form: Form,
  errors: readonly FieldError[],
  said: Omit<PageMessages, 'messages'>,
): string {
  const isCard = asked.kind === 'card';
  const inputs = isCard ? cardInputs : asked.currency === 'EUR' ? euroInputs : poundInputs;
  const drawn = inputs.map(input => drawInput(input, form, errors));
  const [number = '', name = '', ...rest] = drawn;
  const fields = isCard ? `${number}<div class="pair">${rest.join('')}</div>${name}` : drawn.join('');
  const robot = errors.some(({ code }) => code === '007')
    ? '<label class="check"><input type="checkbox" name="robot" value="no"> I am not a robot</label>'
    : '';
  const general = errors.find(({ key }) => key === 'error' || key === 'robot');
  const alert = general ? `<p class="error" role="alert">${escapeHtml(general.message)}</p>` : '';
  const button = isCard ? 'Store this card' : 'Authorise direct debit';
  return document(
    isCard ? 'Card details' : 'Bank account',
    `${alert}<form method="post" novalidate>${fields}${robot}<button>${button}</button></form>`,
    { ...said, messages: errors.map(error => ({ kind: 'error', ...error })) },
  );
}

/**
 * Gives the HTML of the card provider's page after success; `answers` are the signed callbacks, more than one in tests
 * only.
 */
export const donePage = (answers: readonly object[], said: Omit<PageMessages, 'messages'>): string =>
  document('Thank you', '<p role="status">One moment, please.</p>', {
    ...said,
    messages: answers.map(fields => ({ kind: 'answer', fields })),
  });

/** Gives the HTML of the card provider's page when its form cannot be opened. */
export const refusedPage = (why: string): string =>
  document('This page cannot be opened', `<p role="alert">${escapeHtml(why)}</p>`, {
    host: 'null',
    nonce: '',
    messages: [],
  });

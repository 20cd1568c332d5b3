import { createHash } from 'node:crypto';
import { escapeHtml } from '../http/escape-html.ts';
import type { Connection } from './connections.ts';

/** The pages of a provider: plain HTML without scripts. */
const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;--line:light-dark(#8a8f94,#7d848a);--accent:light-dark(#0b6472,#5cc4d3);--on:light-dark(#fff,#06272d)}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#f6f7f8,#111517)}
main{box-sizing:border-box;width:min(24.5rem,100vw - 2rem);padding:2rem;background:light-dark(#fff,#191e21);border:1px solid light-dark(#dfe3e5,#333a3e);border-radius:1rem}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 .25rem}p{margin:0 0 1rem}form{display:grid;gap:1rem;margin:1rem 0 0}
label{display:grid;gap:.25rem;font-weight:600}input{font:inherit;font-weight:400;padding:.625rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:transparent;color:inherit;min-width:0}
button{font:inherit;font-weight:600;padding:.625rem 1rem;border:1px solid var(--accent);border-radius:.5rem;background:var(--accent);color:var(--on);cursor:pointer}
button.plain{background:transparent;color:inherit;border-color:var(--line)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.alert{padding:.75rem 1rem;border-radius:.5rem;background:light-dark(#fdecec,#3a1c1e);color:light-dark(#8f1d22,#ffb4b4)}`;

const styleDigest = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/**
 * Gives the security headers of every page of the sandbox's identity providers. `next` is the portal's address that a
 * form leads on to: browsers hold redirects after a form to its page's `form-action`, so that lists the origin of
 * `next`, and any https address that the portal may lead on to (a dashboard). The library of the pages adds its
 * script's source to an existing `script-src`; therefore there is one.
 */
export function pageHeaders(next: unknown): Readonly<Record<string, string>> {
  const { origin } = typeof next === 'string' && URL.canParse(next) ? new URL(next) : { origin: '' };
  const portal = /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? ` ${origin}` : '';
  return {
    'content-security-policy': `default-src 'none'; style-src ${styleDigest}; script-src 'report-sample'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self' https:${portal}`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
}

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;

export type SignInView = {
  /** Shown above the fields. */
  readonly error?: string | undefined;
  readonly username: string;
  /** Name of the person who is signed in at the provider, where an account is to be chosen. */
  readonly known?: string | undefined;
};

/** Gives the HTML of a provider's sign-in page; `known` is the person who is signed in there already. */
export function signInPage({ name }: Connection, { error, username, known }: SignInView): string {
  const alert = error === undefined ? '' : `<p class="alert" role="alert">${escapeHtml(error)}</p>`;
  const chooser =
    known === undefined
      ? ''
      : `<form method="post"><button name="known" value="yes">Continue as ${escapeHtml(known)}</button></form><p>Or use another account:</p>`;
  const [first, second] = username === '' ? [' autofocus', ''] : ['', ' autofocus'];
  return page(
    name,
    `<p>Sign in to go on to the portal.</p>${alert}${chooser}<form method="post"><label>Email address <input name="username" type="email" autocomplete="username" maxlength="100" required value="${escapeHtml(username)}"${first}></label><label>Password <input name="password" type="password" autocomplete="current-password" maxlength="256" required${second}></label><button>Sign in</button></form><form method="post"><button class="plain" name="cancel" value="yes">Cancel</button></form>`,
  );
}

/**
 * Gives the HTML of a provider's sign-out page around the library's `form`, whose token keeps other sites from ending
 * the session.
 */
export const signOutPage = ({ name }: Connection, form: string): string =>
  page(
    `Sign out of ${name}`,
    `<p>You are signed out of the portal. Sign out here too?</p>${form.replace(
      '</form>',
      '<button name="logout" value="yes" autofocus>Sign out</button><button class="plain">Stay signed in here</button></form>',
    )}`,
  );

/** Gives the HTML of a provider's page after signing out. */
export const signedOutPage = ({ name }: Connection): string =>
  page(`Signed out of ${name}`, '<p>You can close this page.</p>');

/** Gives the HTML of a provider's error page; `what` says what went wrong. */
export const failurePage = ({ name }: Connection, what: string): string =>
  page(name, `<p class="alert" role="alert">${escapeHtml(what)}</p><p>Go back to the portal and try again.</p>`);

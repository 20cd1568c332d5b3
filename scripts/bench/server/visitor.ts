import type { Page } from '../../../shared/contract/boot.ts';

/** Someone signed in to a portal over HTTP, without a browser. */
export type Visitor = { readonly cookie: string; readonly page: Page };

/**
 * Signs in at a portal through both sign-in stages (user name, password), as their forms do, and reads the page of
 * `path`. Throws when refused.
 */
export async function signIn(url: string, username: string, password: string, path: string): Promise<Visitor> {
  const asked = await send(url, 'login', '/login', '', { body: { Username: username } });
  const address = `/sign-in?username=${encodeURIComponent(username)}`;
  const cookie = await send(url, 'sign-in', address, asked, { with: { username }, body: { Password: password } });
  return { cookie, page: (await readPage(`${url}${path}`, cookie)).page };
}

/** Sends the form of a sign-in screen; gives the cookies that come back. */
async function send(url: string, form: string, address: string, cookie: string, given: object): Promise<string> {
  const { page } = await readPage(`${url}${address}`, cookie);
  if ('redirect' in page.screen) throw new Error(`${address} leads on to ${page.screen.redirect}.`);
  const reply = await fetch(`${url}/auth/${form}`, {
    method: 'POST',
    headers: {
      cookie,
      'content-type': 'application/json',
      'x-portal': '1',
      'idempotency-key': crypto.randomUUID(),
      origin: url,
    },
    body: JSON.stringify({ node: form, layout: page.screen.hash, ...given }),
  });
  const cookies = reply.headers.getSetCookie().filter(one => !/^[^=]+=;/.test(one));
  if (!reply.ok || !cookies.length) throw new Error(`Signing in answered ${reply.status}: ${await reply.text()}`);
  return cookies.map(one => one.split(';')[0]).join('; ');
}

async function readPage(address: string, cookie: string): Promise<{ page: Page }> {
  const html = await (await fetch(address, { headers: { cookie } })).text();
  const [, boot] = /<script type="application\/json" id="boot">([^<]*)<\/script>/.exec(html) ?? [];
  if (!boot) throw new Error(`${address} has no boot in its page.`);
  return { page: JSON.parse(boot) as Page };
}

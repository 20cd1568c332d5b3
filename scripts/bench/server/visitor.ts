import type { Page } from '../../../shared/contract/boot.ts';

/** Someone signed in to a portal over HTTP, without a browser. */
export type Visitor = { readonly cookie: string; readonly page: Page };

/** Signs in through the sign-in screen, as its form does, and reads the page of `path`. Throws when refused. */
export async function signIn(url: string, username: string, password: string, path: string): Promise<Visitor> {
  const { page } = await readPage(`${url}/sign-in?username=${encodeURIComponent(username)}`, '');
  if ('redirect' in page.screen) throw new Error(`The sign-in screen leads on to ${page.screen.redirect}.`);
  const reply = await fetch(`${url}/auth/sign-in`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-portal': '1',
      'idempotency-key': crypto.randomUUID(),
      origin: url,
    },
    body: JSON.stringify({
      node: 'sign-in',
      layout: page.screen.hash,
      with: { username },
      body: { Password: password },
    }),
  });
  const cookies = reply.headers.getSetCookie().map(cookie => cookie.split(';')[0]);
  if (!reply.ok || !cookies.length) throw new Error(`Signing in answered ${reply.status}: ${await reply.text()}`);
  const cookie = cookies.join('; ');
  return { cookie, page: (await readPage(`${url}${path}`, cookie)).page };
}

async function readPage(address: string, cookie: string): Promise<{ page: Page }> {
  const html = await (await fetch(address, { headers: { cookie } })).text();
  const [, boot] = /<script type="application\/json" id="boot">([^<]*)<\/script>/.exec(html) ?? [];
  if (!boot) throw new Error(`${address} has no boot in its page.`);
  return { page: JSON.parse(boot) as Page };
}

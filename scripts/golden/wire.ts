import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, password, type Reply, type Stage, type Visitor } from './stage.ts';

const noted = ['content-type', 'cache-control', 'content-disposition', 'location', 'clear-site-data', 'etag', 'vary'];

/**
 * Makes the record of a request and its reply. What differs from run to run becomes `<any>`, such as cookies; so does a
 * page's boot data, which other parts of the record hold, and the content of files that are not text.
 */
export function writeExchange(method: string, path: string, sent: Json, { status, headers, text, body }: Reply): Json {
  const chosen = Object.fromEntries(noted.flatMap(name => (headers.has(name) ? [[name, headers.get(name)]] : [])));
  if (chosen.etag) chosen.etag = '<any>';
  const cookies = headers
    .getSetCookie()
    .map(cookie => cookie.replace(/=[^;]+/, '=<any>').replace(/Expires=[^;]+/i, 'Expires=<any>'));
  const page = text.replace(/(<script type="application\/json" id="boot"[^>]*>).*?(<\/script>)/s, '$1<any>$2');
  const isText = /^(text|application\/json)/.test(headers.get('content-type') ?? 'text');
  const reply = body ?? (isText ? page.split(/\r?\n/) : '<any>');
  return {
    ask: `${method} ${path}`,
    ...(sent && { sent }),
    status,
    headers: chosen,
    ...(cookies.length && { cookies }),
    reply,
  };
}

/** Computes the code that an authenticator app shows at a time (RFC 6238). */
export function codeAt(base32: string, time: number): string {
  const bits = [...base32]
    .map(letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(time / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  return String((digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff) % 1e6).padStart(6, '0');
}

/**
 * Lists the paths of links (those that begin with `/word/`) in the mails that the sandbox sent to somebody, newest
 * first.
 */
export async function linksTo(stage: Stage, recipient: string, word: string): Promise<string[]> {
  const mails = (await (await fetch(`${stage.cloud}/outbox`)).text()).split('<article>');
  return mails
    .filter(mail => mail.includes(`To ${recipient},`))
    .flatMap(mail => new RegExp(`/${word}/[^"<\\s]+`).exec(mail)?.[0] ?? []);
}

/** Signs a visitor in with a password, through the sign-in command; `given` holds further parameters. */
export const signIn = (visitor: Visitor, username: string, Password = password, given = {}) =>
  visitor.press('/sign-in', 'sign-in', 'command:auth.sign-in', { with: { username, ...given }, body: { Password } });
/** Has a visitor read these paths one after the other. */
export const getAll = async (visitor: Visitor, ...paths: readonly string[]): Promise<void> => {
  for (const path of paths) await visitor.ask('GET', path);
};
/** Has a visitor read operations one after the other; each is a name with a query, `customers.list?page=1`. */
export const data = (visitor: Visitor, ...reads: readonly string[]) =>
  getAll(visitor, ...reads.map(read => `/ui/data/${read}`));

/** Waits until `isDone` gives true, asking every 200 ms. Throws after a minute. */
export async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await isDone()); attempt += 1) {
    if (attempt > 300) throw new Error('A job of the sandbox was not done in time.');
    await sleep(200);
  }
}

/** Reads a path without adding the exchange to the visitor's record; gives the body. */
export async function peek(visitor: Visitor, path: string): Promise<Json> {
  const { note } = visitor;
  visitor.note = undefined;
  const { body } = await visitor.ask('GET', path);
  visitor.note = note;
  return body;
}

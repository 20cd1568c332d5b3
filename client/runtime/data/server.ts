import type { Boot, LayoutReply, ScreenReply } from '../../../shared/contract/boot.ts';
import type { CallRequest } from '../../../shared/contract/call.ts';
import { type Envelope, portalHeader, pressHeader, userHeader } from '../../../shared/contract/envelope.ts';
import { Failure, faultReference } from '../state/failure.ts';
import type { Outgoing } from '../state/portal.ts';
import type { Answer } from '../state/post-call.ts';

/** How long a request may take, in milliseconds; the portal itself gives up on its cloud sooner. */
const patience = 60_000;

/** The portal's HTTP contract, as the browser uses it. */
export type Server = {
  /** Reads a data source. Throws Failure, also for `Succeed: false`. */
  read(address: string): Promise<Envelope>;
  /** `have` is the hash of the layout that the browser holds already. Throws Failure. */
  screen(path: string, have: string | undefined): Promise<ScreenReply>;
  /** A file, or in `body` what to do in its place. With `asked` it is asked for by POST. Throws Failure. */
  file(address: string, asked?: object): Promise<{ readonly response: Response; readonly body?: unknown }>;
  layout(hash: string): Promise<LayoutReply>;
  boot(): Promise<Boot>;
  popups(): Promise<Boot['popups']>;
  /** Never throws: what went wrong is in the envelope. A press that is sent again has the same key. */
  send(request: Outgoing, key: string): Promise<Answer>;
  /** Gives where to go then, if the server says so: an identity provider may have to be signed out of too. */
  signOut(): Promise<string | undefined>;
};

/**
 * Creates the client of the portal's HTTP contract.
 * @param word gives the runtime's texts, for failures without a message of their own
 * @param onRefused called when a read is answered with 401 or 403, and when any request is answered with 412: the
 * session now belongs to somebody other than `identity`
 */
export function createServerClient(
  word: (key: string, values?: Readonly<Record<string, unknown>>) => string,
  onRefused: (status: number) => void,
  identity: string,
): Server {
  async function request(
    address: string,
    init?: RequestInit,
  ): Promise<{ status: number; body: unknown; response: Response }> {
    let response: Response;
    try {
      response = await fetch(address, {
        signal: AbortSignal.timeout(patience),
        ...init,
        headers: { [userHeader]: encodeURI(identity), ...init?.headers },
      });
      const isJson = response.headers.get('content-type')?.includes('json');
      if (response.status === 412) onRefused(412);
      return { status: response.status, body: isJson ? await response.json() : undefined, response };
    } catch (error) {
      const isLate = error instanceof DOMException && error.name === 'TimeoutError';
      throw new Failure(0, word(isLate ? 'error.timeout' : 'error.offline'));
    }
  }

  function refusal(body: unknown): string {
    const envelope = body as Envelope | undefined;
    return envelope?.Messages?.[0] || envelope?.Error || word('error.unexpected');
  }

  function refused(status: number, body: unknown): Failure {
    if (status === 401 || status === 403) onRefused(status);
    const reference = faultReference(status, body as Envelope | undefined);
    const said = refusal(body);
    return new Failure(status, reference ? `${said} ${word('error.reference', { reference })}` : said, reference);
  }

  async function get<T>(address: string): Promise<T> {
    const { status, body } = await request(address);
    if (status >= 400 || body === undefined) throw refused(status, body);
    return body as T;
  }

  const post = (address: string, body: unknown, headers: Record<string, string> = {}) =>
    request(address, {
      method: 'POST',
      headers: { [portalHeader]: '1', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  return {
    async read(address) {
      const envelope = await get<Envelope>(address);
      if (!envelope.Succeed) throw new Failure(400, refusal(envelope));
      return envelope;
    },
    async screen(path, have) {
      const query = new URLSearchParams({ path, ...(have && { have }) });
      const { status, body } = await request(`/ui/screen?${query}`);
      // Access denied and not found may bring a screen of their own.
      if (body && typeof body === 'object' && ('hash' in body || 'redirect' in body)) return body as ScreenReply;
      throw refused(status, body);
    },
    async file(address, asked) {
      const reply = await (asked ? post(address, asked) : request(address));
      if (reply.status >= 400) throw refused(reply.status, reply.body);
      return reply;
    },
    layout: hash => get(`/ui/layouts/${hash}`),
    boot: () => get('/ui/boot'),
    popups: () => get('/ui/popups'),
    async send({ kind, name, node, layout, body, post: postContent = post, ...rest }, key) {
      const address = name.startsWith('auth.') ? `/auth/${name.slice(5)}` : `/ui/${kind}/${name}`;
      const content: CallRequest = { node, layout, with: rest.with, ...(body && { body }) };
      try {
        const answer = await postContent(address, content, { [pressHeader]: key });
        const envelope = (answer.body as Envelope | undefined) ?? { Succeed: false };
        // The portal answers in JSON: whatever else says that all is well, it is not the portal.
        return { status: answer.body === undefined && answer.status < 400 ? 0 : answer.status, envelope };
      } catch (error) {
        return { status: 0, envelope: { Succeed: false, Error: (error as Error).message } };
      }
    },
    async signOut() {
      const { body } = await post('/auth/sign-out', undefined);
      return (body as { effects?: { to: string }[] } | undefined)?.effects?.[0]?.to;
    },
  };
}

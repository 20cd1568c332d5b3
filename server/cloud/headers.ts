/** Everything that may go upstream; nothing of a browser's own headers is among it. */
export type OutboundHeaders = {
  readonly accept: string;
  readonly 'cache-control': 'no-cache';
  readonly 'content-type'?: string;
  readonly 'content-length'?: string;
  readonly authorization?: string;
  readonly 'actor-id'?: string;
  readonly 'idempotency-key'?: string;
  readonly traceparent?: string;
  readonly 'x-forwarded-for'?: string;
};

/** A header carries visible ASCII; anything else travels percent-encoded. */
function encodeActor(actor: string): string {
  if (/^[\x21-\x7e]*$/.test(actor)) return actor;
  return actor.replace(/\p{Surrogate}/gu, '').replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

/**
 * Makes the headers of a call to the cloud, never copied from a request. `actor`: user name for end users, e-mail
 * address for others (document 1, section 6); `press`: idempotency key; `file`: media type of the wanted file; `trace`:
 * the trace that a trusted proxy began; `length`: bytes of a sent file; `address`: from
 * where the browser asks, as the portal's trusted proxies say.
 */
export function outboundHeaders(
  contentType: OutboundHeaders['content-type'] | undefined,
  token?: string | undefined,
  actor?: string | undefined,
  press?: string | undefined,
  file?: string | undefined,
  trace?: string | undefined,
  length?: number | undefined,
  address?: string | undefined,
): OutboundHeaders {
  const headers: { -readonly [Name in keyof OutboundHeaders]: OutboundHeaders[Name] } = {
    accept: file === undefined ? 'application/json' : `${file}, application/json`,
    'cache-control': 'no-cache',
  };
  if (contentType !== undefined) headers['content-type'] = contentType;
  if (length !== undefined) headers['content-length'] = String(length);
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (actor !== undefined && actor !== '') headers['actor-id'] = encodeActor(actor);
  if (press !== undefined) headers['idempotency-key'] = press;
  if (trace !== undefined) headers.traceparent = trace;
  // Visible ASCII without a separator: a proxy may forward anything.
  if (address !== undefined && /^[!-+\--~]{1,100}$/.test(address)) headers['x-forwarded-for'] = address;
  return headers;
}

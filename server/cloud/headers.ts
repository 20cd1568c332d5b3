/** Everything that may go upstream; nothing of a browser's own headers is among it. */
export type OutboundHeaders = {
  readonly accept: 'application/json';
  readonly 'cache-control': 'no-cache';
  readonly 'content-type'?: 'application/json' | 'application/x-www-form-urlencoded';
  readonly authorization?: string;
  readonly 'actor-id'?: string;
  readonly 'idempotency-key'?: string;
};

export type HeaderParts = {
  readonly contentType?: 'application/json' | 'application/x-www-form-urlencoded' | undefined;
  readonly token?: string | undefined;
  /** User name for end users, e-mail address for others (document 1, section 6). */
  readonly actor?: string | undefined;
  /** Key of one press. */
  readonly press?: string | undefined;
};

/** A header carries visible ASCII; anything else travels percent-encoded. */
const encodeActor = (actor: string): string =>
  actor.replace(/\p{Surrogate}/gu, '').replace(/[^\x21-\x7e]/gu, encodeURIComponent);

/** The headers of one call: built from nothing, never copied from a request. */
export function outboundHeaders({ contentType, token, actor, press }: HeaderParts): OutboundHeaders {
  return {
    accept: 'application/json',
    'cache-control': 'no-cache',
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(actor !== undefined && actor !== '' && { 'actor-id': encodeActor(actor) }),
    ...(press !== undefined && { 'idempotency-key': press }),
  };
}

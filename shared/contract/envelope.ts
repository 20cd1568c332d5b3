import type { Effect, NavigateEffect } from '../language/types.ts';

/** The reply of every call: the spec's envelope (document 2, section 3) plus `effects`. */
export type Envelope<Result = unknown> = {
  readonly Succeed: boolean;
  readonly Error?: string;
  readonly Errors?: Readonly<Record<string, readonly string[]>>;
  readonly Messages?: readonly string[];
  readonly Labels?: unknown;
  /**
   * `article` is a page of the portal that explains a refusal. The rest is of a failure of the portal's own: its code, the
   * reference number of the log, and the layout to go on with.
   */
  readonly Resources?: {
    readonly code?: string;
    readonly reference?: string;
    readonly hash?: string;
    readonly layout?: unknown;
    readonly article?: { readonly title: string; readonly to: string };
  };
  readonly Result?: Result;
  /** Nothing was done, nor refused: the act waits for the approval of another person. `Succeed` is false. */
  readonly Waits?: { readonly ApprovalId: string };
  readonly effects?: readonly ReplyEffect[];
};

type Values = Readonly<Record<string, boolean | number | { readonly value: unknown }>>;

/** An effect that the server sends: as in a document, but its texts are resolved and its addresses filled. */
export type ReplyEffect =
  | Exclude<Effect, NavigateEffect>
  /** `keep` carries the query parameters of this address along. */
  | (NavigateEffect & { readonly keep?: true })
  /** Parameters of a popup may be lists. */
  | { readonly do: 'open-popup'; readonly popup: string; readonly with?: Values }
  | { readonly do: 'publish'; readonly event: string }
  | { readonly do: 'refresh-operations'; readonly operations: readonly string[] }
  /** Goes to an absolute http or https address, outside too. Documents cannot say it: the server has checked the address. */
  | { readonly do: 'leave'; readonly to: string };

/** Header that every unsafe request carries; a form of another site cannot set it. */
export const portalHeader = 'x-portal';
/** Header that says whose page asks, as encodeURI writes it: another tab may have changed the account since. */
export const userHeader = 'x-portal-user';
/** Header with the key of one press, so that a repeated request acts once. */
export const pressHeader = 'idempotency-key';

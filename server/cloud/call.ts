import type { Envelope } from '../../shared/contract/envelope.ts';
import type { Operation } from '../../shared/language/types.ts';
import type { Parameters } from './address.ts';

/** Puts a refusal of the cloud, a code with data, into words of the portal; any code has some. */
export type WordRefusal = (code: string, data: Readonly<Record<string, unknown>>) => string;

/** In whose name a call is made. */
export type Credentials = {
  /** User name for end users, e-mail address for others. */
  readonly actor: string;
  /** The access token, exchanged first when it is about to expire. Throws SESSION_ENDED. */
  token(): string | Promise<string>;
  /** A token other than the one that was refused. Throws SESSION_ENDED. */
  renew(refused: string): Promise<string>;
  /** From where the browser last asked. */
  readonly address?: string | undefined;
  /** The cloud will have nothing of this account any more. */
  end(reason: string): Promise<void>;
};

export type CloudRequest = {
  readonly operation: Operation;
  readonly parameters: Parameters;
  readonly body?: unknown;
  readonly credentials?: Credentials | undefined;
  /** Key of the press; sent for operations that act once. */
  readonly press?: string | undefined;
  /** True for a read that no person asked for: a refusal does not sign out (document 2, section 8). */
  readonly automatic?: boolean | undefined;
  /** True for a read of who somebody is and what they may do: however many others hang, it is made. */
  readonly isOfRights?: boolean;
  /** Words refusals by a code. Without it they are left out of the envelope, which keeps Error, Errors and Messages. */
  readonly wordRefusal?: WordRefusal;
  readonly signal?: AbortSignal | undefined;
  /** The header `traceparent` of the request that it is made for. */
  readonly trace?: string | undefined;
  /** Network of the browser that it is made for; it has a share of the calls, as each account has. */
  readonly network?: string | undefined;
  /** Address of the browser; absent: that of the credentials. */
  readonly address?: string | undefined;
  /** True for the few replies that are no envelope; they become the Result of one. */
  readonly bare?: boolean;
  /** True where 401 speaks of what was sent and not of the token: it is answered as any other status. */
  readonly keepsToken?: boolean;
};

/** Status and envelope; a failing one holds Succeed, Error, Errors and Messages and nothing else. */
export type CloudReply = { readonly status: number; readonly envelope: Envelope };

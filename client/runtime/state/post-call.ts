import type { CallRequest } from '../../../shared/contract/call.ts';
import type { Envelope } from '../../../shared/contract/envelope.ts';

/** How a call is posted: as JSON, or in its place as the file that a form holds. */
export type PostCall = (
  address: string,
  content: CallRequest,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly body: unknown }>;

/** What came back; `status` is 0 when nothing did. */
export type Answer = { readonly status: number; readonly envelope: Envelope };

/** Sends the call of a form once, with one of its files: `values` stand in place of what the form holds under their names. */
export type SendWith = (values?: Readonly<Record<string, unknown>>, post?: PostCall) => Promise<Answer>;

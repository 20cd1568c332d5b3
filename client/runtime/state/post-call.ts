import type { CallRequest } from '../../../shared/contract/call.ts';

/** How a call is posted: as JSON, or in its place as the file that a form holds. */
export type PostCall = (
  address: string,
  content: CallRequest,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly body: unknown }>;

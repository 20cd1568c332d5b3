/** Why nothing could be read from a business system, or written to it. */
export class PsaFailure extends Error {
  /** True where the credentials were refused. */
  readonly isRefused: boolean;
  /** True where there was no answer: what was asked may have been done or not. */
  readonly isUnanswered: boolean;

  constructor(message: string, { isRefused = false, isUnanswered = false } = {}) {
    super(message);
    this.isRefused = isRefused;
    this.isUnanswered = isUnanswered;
  }
}

/** Milliseconds that a business system has for a page. */
const patience = 15_000;
const mostBytes = 8 * 1024 * 1024;

/** Reads a page of a business system's API as JSON. Throws a PsaFailure whose text holds no credentials. */
export async function readJson(url: string, init: RequestInit): Promise<unknown> {
  const reply = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(patience) }).catch(() => {
    throw new PsaFailure('The business system does not answer.', { isUnanswered: true });
  });
  if (reply.status === 401 || reply.status === 403)
    throw new PsaFailure('The business system refused us.', { isRefused: true });
  if (!reply.ok) throw new PsaFailure(`The business system answered with ${reply.status}.`);
  const text = await reply.text().catch(() => {
    throw new PsaFailure('The business system does not answer.', { isUnanswered: true });
  });
  if (text.length > mostBytes) throw new PsaFailure('The business system answered with too much.');
  try {
    return JSON.parse(text);
  } catch {
    throw new PsaFailure('The business system did not answer with JSON.');
  }
}

/** More pages than any business system has. */
export const mostPages = 200;

/** Gives a name from another system as one line of at most 200 characters; '' for no text. */
export const nameIn = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, 200)
    : '';

/** Gives a number from another system; null for anything else. */
export const numberIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** Gives a moment from another system in ISO 8601; null for anything else. */
export const momentIn = (value: unknown): string | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : null;

import type { Envelope } from '../shared/contract/envelope.ts';

/** Every error of the portal's own: its code and HTTP status. The user is told the text `server.error.<code>`. */
export const portalErrors = {
  BAD_REQUEST: 400,
  PARAMETER_INVALID: 400,
  SESSION_ENDED: 401,
  API_KEY_INVALID: 401,
  NOT_PERMITTED: 403,
  ADDRESS_NOT_ALLOWED: 403,
  PERMISSION_NOT_FOUND: 403,
  REQUEST_REFUSED: 403,
  NOT_FOUND: 404,
  LATE: 408,
  LAYOUT_CHANGED: 409,
  CALLER_CHANGED: 412,
  RECORD_CHANGED: 409,
  CONTRACTS_CHANGED: 409,
  EXPORT_LONG: 409,
  EXPORT_WITHDRAWN: 403,
  DOWNLOAD_LINK_ENDED: 410,
  TOO_LARGE: 413,
  MEDIA_TYPE: 415,
  TOO_MANY_CHOSEN: 422,
  NOTHING_CHOSEN: 422,
  NOBODY_ELIGIBLE: 422,
  FIELDS_INVALID: 422,
  USERNAME_INVALID: 422,
  SIGN_IN_FAILED: 422,
  SIGN_IN_ELSEWHERE: 422,
  SIGN_ON_DENIED: 422,
  PASSWORD_LINK_ENDED: 422,
  RESET_FAILED: 422,
  TOO_MANY_PASSWORDS: 422,
  LINK_REFUSED: 422,
  STEP_ENDED: 422,
  STEP_OVER: 422,
  TOO_MANY_PROOFS: 422,
  PROVIDER_UNREACHABLE: 502,
  PROVIDER_GARBLED: 502,
  TOO_MANY_CODES: 422,
  JUMP_INVALID: 422,
  EXPORTS_BUSY: 422,
  HOSTED_PAGE_OVER: 422,
  HOSTED_PAGE_MISSING: 502,
  SITE_MISSING: 502,
  AGREEMENT_UNSIGNED: 403,
  SWITCH_REFUSED: 422,
  TOO_MANY: 429,
  TOO_MANY_SOCKETS: 429,
  INTERNAL: 500,
  UPSTREAM_UNREACHABLE: 502,
  UPSTREAM_FAILED: 502,
  UPSTREAM_GARBLED: 502,
  UPSTREAM_TOO_LARGE: 502,
  OUTCOME_UNKNOWN: 504,
  UPSTREAM_TRY_AGAIN: 502,
  UPSTREAM_BUSY: 503,
  UPSTREAM_PAUSED: 503,
  MODEL_INVALID: 502,
  STORE_DOWN: 503,
  STOPPING: 503,
  BUSY: 503,
  UPSTREAM_TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof portalErrors;

export type ErrorParts = {
  /** For the log only. */
  readonly detail?: string;
  readonly cause?: unknown;
  /** By field name, in the user's words. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** What to go on with after LAYOUT_CHANGED. */
  readonly layout?: { readonly hash: string; readonly layout: unknown };
  readonly effects?: Envelope['effects'];
  /** What the cloud says to the user about it, in place of the text of the code. */
  readonly said?: string | undefined;
};

/** A failure with a code of the table above. */
export class PortalError extends Error {
  readonly code: ErrorCode;
  readonly parts: ErrorParts;

  constructor(code: ErrorCode, parts: ErrorParts = {}) {
    super(parts.detail === undefined ? code : `${code}: ${parts.detail}`, { cause: parts.cause });
    this.code = code;
    this.parts = parts;
  }

  get status(): number {
    return portalErrors[this.code];
  }
}

/** True for a failure after which the session is over: it has ended, or is not let in from where it is used. */
export const endsSession = (error: unknown): boolean =>
  error instanceof PortalError && (error.code === 'SESSION_ENDED' || error.code === 'ADDRESS_NOT_ALLOWED');

/**
 * Makes the reply body of an error: `message` is the text of its code, `reference` the id under which the log has
 * details.
 */
export function failingEnvelope({ code, parts }: PortalError, message: string, reference: string): Envelope {
  return {
    Succeed: false,
    Error: message,
    ...(parts.said && { Messages: [parts.said] }),
    ...(parts.errors && { Errors: parts.errors }),
    Resources: { code, reference, ...parts.layout },
    ...(parts.effects && { effects: parts.effects }),
  };
}

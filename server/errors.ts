import type { Envelope } from '../shared/contract/envelope.ts';

/** Every error of the portal's own: its code, the HTTP status, and what the user is told. */
export const portalErrors = {
  BAD_REQUEST: { status: 400, message: 'The portal did not understand this request.' },
  PARAMETER_INVALID: { status: 400, message: 'The portal did not understand this request.' },
  SESSION_ENDED: { status: 401, message: 'Your session has ended. Please sign in again.' },
  NOT_PERMITTED: { status: 403, message: 'You do not have permission to do this.' },
  PERMISSION_NOT_FOUND: {
    status: 403,
    message: 'You do not have permission to access this page. Please contact your administrator.',
  },
  REQUEST_REFUSED: { status: 403, message: 'This request did not come from a page of the portal.' },
  NOT_FOUND: { status: 404, message: 'We could not find what you asked for.' },
  LATE: { status: 408, message: 'Your request took too long to arrive. Please try again.' },
  LAYOUT_CHANGED: { status: 409, message: 'This page has changed since you opened it. Please check it and try again.' },
  CALLER_CHANGED: { status: 412, message: 'You have signed in as somebody else meanwhile.' },
  RECORD_CHANGED: {
    status: 409,
    message: 'Somebody else has changed this meanwhile. What you typed is still here: check it and save again.',
  },
  TOO_LARGE: { status: 413, message: 'This is more than the portal accepts at once.' },
  MEDIA_TYPE: { status: 415, message: 'The portal did not understand this request.' },
  TOO_MANY_CHOSEN: { status: 422, message: 'Please choose at most 10,000 customers.' },
  NOTHING_CHOSEN: { status: 422, message: 'Please choose at least one customer.' },
  NOBODY_ELIGIBLE: { status: 422, message: 'None of the customers that you chose can have this product now.' },
  FIELDS_INVALID: { status: 422, message: 'Please check the highlighted fields.' },
  USERNAME_INVALID: { status: 422, message: "We don't recognise that username." },
  SIGN_IN_FAILED: { status: 422, message: 'The username or password is wrong.' },
  SIGN_IN_ELSEWHERE: {
    status: 422,
    message: "Your organisation uses single sign-on, which isn't available here. Please contact your administrator.",
  },
  PASSWORD_LINK_ENDED: {
    status: 422,
    message: 'This link has been used before, or is too old. Nothing was changed: please ask for a new one.',
  },
  RESET_FAILED: { status: 422, message: 'We could not send a link right now. Please try again in a moment.' },
  TOO_MANY_PASSWORDS: {
    status: 422,
    message: 'There were too many wrong passwords. Please wait a quarter of an hour and try again.',
  },
  LINK_REFUSED: { status: 422, message: 'The supplied details are incorrect.' },
  STEP_ENDED: { status: 422, message: 'This took too long, or was done already. Please sign in again.' },
  STEP_OVER: { status: 422, message: 'This took too long, or was done already. Please start again.' },
  TOO_MANY_PROOFS: {
    status: 422,
    message: 'There were too many wrong attempts. Please wait a quarter of an hour and try again.',
  },
  PROVIDER_UNREACHABLE: {
    status: 502,
    message: "We cannot reach your organisation's sign-in right now. Please try again in a moment.",
  },
  PROVIDER_GARBLED: {
    status: 502,
    message: "We could not read the answer of your organisation's sign-in. Please try again.",
  },
  TOO_MANY_CODES: {
    status: 422,
    message: 'There were too many wrong codes. Please wait a quarter of an hour and sign in again.',
  },
  JUMP_INVALID: {
    status: 422,
    message: 'This link has been used or is too old. Please go back to where you found it and open it again.',
  },
  AGREEMENT_UNSIGNED: { status: 403, message: 'You must sign the agreement before you can use the portal.' },
  SWITCH_REFUSED: { status: 422, message: 'There is no other view to switch to.' },
  TOO_MANY: { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
  TOO_MANY_SOCKETS: {
    status: 429,
    message: 'This page is not kept up to date for now: the account is open in too many windows.',
  },
  INTERNAL: { status: 500, message: 'Something went wrong. Please try again.' },
  UPSTREAM_UNREACHABLE: {
    status: 502,
    message: 'We cannot reach the cloud service right now. Please try again in a moment.',
  },
  UPSTREAM_FAILED: {
    status: 502,
    message: 'The cloud service could not do this right now. Please try again in a moment.',
  },
  UPSTREAM_GARBLED: {
    status: 502,
    message: 'The cloud service sent an answer that we could not read. Please try again in a moment.',
  },
  UPSTREAM_TOO_LARGE: {
    status: 502,
    message: 'The cloud service sent more than we can show. Please narrow what you are looking for.',
  },
  OUTCOME_UNKNOWN: {
    status: 504,
    message: 'We do not know whether this was done: the cloud service did not say. Please check before you try again.',
  },
  UPSTREAM_TRY_AGAIN: { status: 502, message: 'Nothing was changed. Please try again.' },
  UPSTREAM_BUSY: {
    status: 503,
    message: 'The cloud service is very slow right now, and many are waiting for it. Please try again in a moment.',
  },
  UPSTREAM_PAUSED: {
    status: 503,
    message: 'The cloud service is not answering right now. Please try again in a moment.',
  },
  MODEL_INVALID: {
    status: 502,
    message: 'The cloud service sent a form that we could not read. Please try again later.',
  },
  STORE_DOWN: { status: 503, message: 'The portal is not available right now. Please try again in a moment.' },
  STOPPING: { status: 503, message: 'The portal is being restarted. Please try again in a moment.' },
  BUSY: { status: 503, message: 'The portal is very busy right now. Please try again in a moment.' },
  UPSTREAM_TIMEOUT: {
    status: 504,
    message: 'The cloud service is taking too long to answer. Please try again in a moment.',
  },
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
  /** What the cloud says to the user about it, in place of the message of the table. */
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
    return portalErrors[this.code].status;
  }
}

/** The failing envelope of an error; `reference` is the number under which the log tells the rest. */
export function failingEnvelope({ code, parts }: PortalError, reference: string): Envelope {
  return {
    Succeed: false,
    Error: portalErrors[code].message,
    ...(parts.said && { Messages: [parts.said] }),
    ...(parts.errors && { Errors: parts.errors }),
    Resources: { code, reference, ...parts.layout },
    ...(parts.effects && { effects: parts.effects }),
  };
}

/** Why something is refused, as a code with its data. */
export type Refusal = {
  /** Name of the body's field; absent where it is about the whole request. */
  readonly Field?: string;
  readonly Code: string;
  readonly Data?: Readonly<Record<string, string>>;
};

/** A refusal in the envelope's words (document 2, section 3). */
export class CloudError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, readonly string[]>> | undefined;
  readonly messages: readonly string[];
  readonly refusals: readonly Refusal[];

  constructor(
    status: number,
    code: string,
    messages: readonly string[] = [],
    fields?: Record<string, string[]>,
    refusals: readonly Refusal[] = [],
  ) {
    super(messages[0] ?? refusals[0]?.Code ?? code);
    this.status = status;
    this.code = code;
    this.messages = messages;
    this.fields = fields;
    this.refusals = refusals;
  }
}

/** Makes the 401 for a request without a valid token. */
export const unauthorized = () => new CloudError(401, 'Unauthorized', ['Sign in again.']);
/** Makes the 403 for an account without a permissions record. */
export const permissionNotFound = () => new CloudError(403, 'PermissionNotFound');
/** Makes the 403 for a disabled account. */
export const accountDisabled = () => new CloudError(403, 'AccountDisabled', ['This account is disabled.']);
/** Makes the 403 for an account whose organisation does not let it in from where it asks. */
export const addressNotAllowed = () =>
  new CloudError(403, 'AddressNotAllowed', ['Your organisation does not allow access from this network.']);
/** Makes the 403 for a caller who lacks the right. */
export const notPermitted = () => new CloudError(403, 'NotPermitted', ['You do not have permission to do this.']);
/** Makes the 404, the same for what does not exist and for what belongs to somebody else. */
export const notFound = () => new CloudError(404, 'NotFound', ['This was not found.']);
/** Makes a 409 with a sentence for the user. */
export const conflict = (message: string) => new CloudError(409, 'Conflict', [message]);
/**
 * Makes the 400 for a body with invalid fields.
 * @param fields what is wrong, by name of the body's field
 */
export const invalid = (fields: Record<string, string[]>) =>
  new CloudError(400, 'Invalid', Object.values(fields).flat(), fields);

/** Sentences for violated constraints, as the person who ran into one reads them. */
const conflicts: Readonly<Record<string, string>> = {
  customers_name_once: 'A customer with this name already exists.',
  users_email_once: 'A user with this email address already exists.',
  organisation_domains_once: 'This domain belongs to an organisation already.',
  accounts_username: 'A user with this email address already exists.',
};

/** Gives the 409 that a violated constraint means to the user; undefined for any other database error. */
export function asConflict(error: unknown): CloudError | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  if (code !== '23505' || typeof constraint !== 'string') return undefined;
  const message = conflicts[constraint];
  return message === undefined ? undefined : conflict(message);
}

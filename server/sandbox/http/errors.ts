/** A refusal in the envelope's words (document 2, section 3). */
export class CloudError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, readonly string[]>> | undefined;
  readonly messages: readonly string[];

  constructor(status: number, code: string, messages: readonly string[] = [], fields?: Record<string, string[]>) {
    super(messages[0] ?? code);
    this.status = status;
    this.code = code;
    this.messages = messages;
    this.fields = fields;
  }
}

export const unauthorized = () => new CloudError(401, 'Unauthorized', ['Sign in again.']);
export const permissionNotFound = () => new CloudError(403, 'PermissionNotFound');
export const accountDisabled = () => new CloudError(403, 'AccountDisabled', ['This account is disabled.']);
export const notPermitted = () => new CloudError(403, 'NotPermitted', ['You do not have permission to do this.']);
/** Of an object that is not there and of somebody else's alike. */
export const notFound = () => new CloudError(404, 'NotFound', ['This was not found.']);
export const conflict = (message: string) => new CloudError(409, 'Conflict', [message]);
/** @param fields what is wrong, by name of the body's field */
export const invalid = (fields: Record<string, string[]>) =>
  new CloudError(400, 'Invalid', Object.values(fields).flat(), fields);

/** What a violated constraint means to the person who ran into it. */
const conflicts: Readonly<Record<string, string>> = {
  customers_name_once: 'A customer with this name already exists.',
  users_email_once: 'A user with this email address already exists.',
  accounts_username: 'A user with this email address already exists.',
};

/** The refusal that a database error stands for, if it stands for one. */
export function asConflict(error: unknown): CloudError | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  if (code !== '23505' || typeof constraint !== 'string') return undefined;
  const message = conflicts[constraint];
  return message === undefined ? undefined : conflict(message);
}

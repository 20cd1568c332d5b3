import type { Waits } from './acts.ts';
import { date, id, list, object, string } from './schema.ts';

/** Wraps a result in the envelope of every /api reply (document 2, section 3). */
export const succeed = <R>(Result: R, ...Messages: string[]) =>
  Messages.length > 0 ? { Succeed: true, Result, Messages } : { Succeed: true, Result };

/** Makes the envelope of a successful /api reply that has no result. */
export const done = (...Messages: string[]) => (Messages.length > 0 ? { Succeed: true, Messages } : { Succeed: true });

/** A result of a route beside the sentence that says what was done. */
export class WithMessage {
  readonly result: unknown;
  readonly message: string;

  constructor(result: unknown, message: string) {
    this.result = result;
    this.message = message;
  }
}

const failure = {
  type: 'object',
  description: 'What was refused and why.',
  properties: {
    Succeed: { type: 'boolean' },
    Error: string,
    Errors: { type: 'object', additionalProperties: list(string) },
    Messages: list(string),
    Refusals: list({
      type: 'object',
      required: ['Code'],
      properties: { Field: string, Code: string, Data: { type: 'object', additionalProperties: string } },
    }),
    Article: {
      ...object({ Path: string, Title: string }),
      description: 'The article that explains the first refusal.',
    },
  },
} as const;

const envelope = (result?: object) => ({
  type: 'object',
  properties: { Succeed: { type: 'boolean' }, Messages: list(string), ...(result && { Result: result }) },
});

/** The `response` schema of a call whose act is kept until another person approves it. */
export const waiting = {
  202: {
    type: 'object',
    description: 'Nothing was done: this waits for the approval of another person.',
    properties: {
      Succeed: { type: 'boolean' },
      Messages: list(string),
      Waits: object({ ApprovalId: id, Until: date }),
    },
  },
};

/** Makes the envelope of such a reply. */
export const replyOfWaiting = (Waits: Waits) => ({
  ...{ Succeed: true, Messages: ['This waits for the approval of another person.'], Waits },
});

/** Makes a route's `response` schema: the envelope around `result`. */
export const replies = (result?: object) => ({ 200: envelope(result), '4xx': failure, '5xx': failure });
/** Makes the `response` schema of a route that creates something: 201 and the envelope around `result`. */
export const created = (result: object) => ({ 201: envelope(result), '4xx': failure, '5xx': failure });

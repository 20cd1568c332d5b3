import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import type { Scope } from '../../../shared/rules/path.ts';
import type { FieldError } from '../../../shared/rules/validation.ts';
import type { Answer, SendWith } from './post-call.ts';

type Values = Readonly<Record<string, unknown>>;

/** Notifies its subscribers when something of a form that they show has changed; `version` then grows. */
export type Channel = { subscribe(listener: () => void): () => void; version(): number };

/** Validates a value of many parts, such as the rows of a grid, whose errors stand at the parts. */
export type GridValidator = {
  /** Shows what is wrong; false when anything is. */
  check(): boolean;
  /** Takes what the server says of a part, by the names that lead to it, as in "Values.10001.Domain". */
  refuse(path: string, text: string): true;
};

/**
 * The values of one form, with a subscription per name, so that a keystroke draws one field. Besides its fields
 * a form has the names `$changed` (differs from what was loaded) and `$failures` (refused or invalid submits).
 */
export type FormStore = {
  /** Prefix of the ids of its inputs. */
  readonly id: string;
  /** True where leaving would lose something worth a question. */
  guarded: boolean;
  /** Sends a call of the form once with each of its files. A form without a file field has none. */
  sendFiles?: ((send: SendWith) => Promise<Answer>) | undefined;
  /** True for the roomy fields of the sign-in card. */
  large: boolean;
  /** What the entries of its lists are called, where these say so. */
  entryNames?: ReadonlyMap<string, string> | undefined;
  /** The same channel for the same name, or for the same list of names. */
  channel(name: string | readonly string[]): Channel;
  /** The value as typed. */
  value(name: string): unknown;
  /** The value as conditions see it, which is as it is sent: a field that is hidden or disabled has none. */
  read(name: string): unknown;
  /** All that conditions and bindings may read, as the `form` scope. */
  readAll(): Values;
  /** True for a name that more than one field bears. */
  isShared(name: string): boolean;
  /** Gives the error of a field: said by the server, or found here once the field was touched. */
  error(name: string): FieldError | string | undefined;
  set(name: string, value: unknown): void;
  touch(name: string): void;
  /** Checks everything. Undefined when something is wrong; else what is sent. */
  submit(): Values | undefined;
  /** Id of the input of the first field that is wrong. */
  firstWrong(): string | undefined;
  /** Takes the server's refusal; gives the messages that belong to no field of this form. */
  refuse(errors: Readonly<Record<string, readonly string[]>>): string[];
  /** One more, or as many as `count`; never fewer than there were: what was asked for is not taken back. */
  setFailures(count?: number): void;
  /** Those that validate a value themselves, by its name. */
  readonly validators: Map<string, GridValidator>;
  /** Counts the present values as loaded from now on, which is when a reply took them in. */
  settle(reply?: Envelope): void;
  /** Newer first values: fields that the user has changed keep what was typed. */
  load(first: Values): void;
  reset(): void;
  /** A live edit of the fields. */
  configure(fields: readonly FieldNode[], scope: Scope): void;
  /** True where a password or a code may be typed. */
  hasSecrets(): boolean;
  /** Gives the values that may be kept over an expired session: no passwords, no codes, nothing hidden. */
  keep(): Values;
};

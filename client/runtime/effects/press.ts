import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { Scope } from '../../../shared/rules/path.ts';
import type { OpenDocument } from '../state/document.ts';
import type { FormStore } from '../state/form-types.ts';
import type { Portal } from '../state/portal.ts';

/**
 * How a list of effects ended; `failure` is what to show next to what was pressed, `unknown` what to say in its place
 * where it may have been done all the same, `reply` the last reply.
 */
export type PressOutcome = {
  readonly done: boolean;
  readonly failure?: string;
  readonly unknown?: string;
  /** Reference number of a fault about which the user can do nothing. */
  readonly reference?: string | undefined;
  readonly reply?: Envelope;
};

/** Where effects run: what was pressed, and what their paths read. */
export type Press = {
  readonly portal: Portal;
  readonly document: OpenDocument;
  readonly form: FormStore | undefined;
  /** Id of the node that was pressed. */
  readonly node: string;
  readonly scope: Scope;
  /** Values that a submitted form sends. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
};

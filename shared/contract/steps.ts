import type { Node } from '../language/types.ts';

/** Result of the command behind a `steps` node: the step to show next. */
export type StepReply = {
  /** Id of one of the node's steps. */
  readonly step: string;
  readonly title?: string;
  /** Fields and what explains them, before the step's own; texts are literal. */
  readonly children?: readonly Node[];
  /** All that the step shows and asks, in place of the nodes of its layout: of a journey, where it is made at run time. */
  readonly nodes?: readonly Node[];
  /** First values by property name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** What the step shows beside its fields; the command declares it, and documents read it as `reply.Result.facts.…`. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** What a journey has asked, as data sources of the step, and what was answered in the steps before it. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly answers?: Readonly<Record<string, unknown>>;
  /** The steps that there are, in order; without them all are there, and one goes back only. */
  readonly steps?: readonly StepState[];
  readonly draft?: DraftState;
  /** Something else comes first: the step stays, and what was typed is there again when one comes back from that. */
  readonly waits?: true;
};

export type StepState = {
  readonly id: string;
  readonly isDone: boolean;
  /** One may go to it. */
  readonly isOpen: boolean;
};

/** What the command has kept; `at` as ISO 8601. */
export type DraftState = { readonly version: number; readonly at: string };

/** Name in the body that says which step was filled in; absent when the wizard opens. */
export const stepName = '$step';
/** The step that one goes to without being through with this one; of a draft only. */
export const toName = '$to';
/** In the body where only what stands beside the step is asked for, by what is typed so far. */
export const estimateName = '$estimate';
/** The version of the draft that was typed over; absent where whatever is there is typed over. */
export const versionName = '$version';

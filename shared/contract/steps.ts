import type { Node } from '../language/types.ts';

/** Result of the command behind a `steps` node: the step to show next. */
export type StepReply = {
  /** Id of one of the node's steps. */
  readonly step: string;
  readonly title?: string;
  /** Fields and what explains them; texts are literal. */
  readonly children: readonly Node[];
  /** First values by property name. */
  readonly values: Readonly<Record<string, unknown>>;
};

/** Name in the body that says which step was filled in; absent when the wizard opens. */
export const stepName = '$step';

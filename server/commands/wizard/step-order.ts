import type { StepState } from '../../../shared/contract/steps.ts';

/** One step of a wizard by what was answered so far. */
export type StepProgress = { readonly id: string; readonly isHidden: boolean; readonly isDone: boolean };

/**
 * Gives the visible steps, each with whether it is done and whether the user may open it: every step up to the first
 * that is not done (document 2, section 3, order wizard).
 */
export function stepStates(steps: readonly StepProgress[]): StepState[] {
  const shown = steps.filter(({ isHidden }) => !isHidden);
  const first = shown.findIndex(({ isDone }) => !isDone);
  const last = first === -1 ? shown.length - 1 : first;
  return shown.map(({ id, isDone }, index) => ({ id, isDone, isOpen: index <= last }));
}

/** Gives the wanted step if the user may open it, else the first step that is not done. */
export function boundStep(steps: readonly StepProgress[], wanted: string): string {
  const open = stepStates(steps).filter(({ isOpen }) => isOpen);
  const found = open.find(({ id }) => id === wanted) ?? open.find(({ isDone }) => !isDone) ?? open.at(-1);
  return found?.id ?? wanted;
}

/**
 * Gives the next visible step after a step, or the first that is not done before it; after the last step, that step
 * itself.
 */
export function nextStep(steps: readonly StepProgress[], from: string): string {
  const after = steps.slice(steps.findIndex(({ id }) => id === from) + 1).find(({ isHidden }) => !isHidden);
  return boundStep(steps, after?.id ?? from);
}

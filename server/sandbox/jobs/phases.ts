import type { FieldValues } from '../orders/tables.ts';
import type { InstanceStatus } from '../services/tables.ts';
import type { JobKind } from './tables.ts';

/** Phases that each kind of change goes through, one after the other. */
export const phasesOf: Readonly<Record<JobKind, readonly string[]>> = {
  activate: ['Order accepted', 'Resources prepared', 'Service set up', 'Access handed over'],
  modify: ['Change accepted', 'Service changed'],
  delete: ['Deletion accepted', 'Access withdrawn', 'Data removed'],
};

/** The phase at which a change fails if it does. */
export const failingPhase: Readonly<Record<JobKind, number>> = { activate: 2, modify: 1, delete: 2 };

export const endOf: Readonly<Record<JobKind, readonly [done: InstanceStatus, failed: InstanceStatus]>> = {
  activate: ['Active', 'ActivationFailed'],
  modify: ['Active', 'ActivationFailed'],
  delete: ['Deleted', 'DeletionFailed'],
};

export type Attempted = {
  readonly kind: JobKind;
  readonly phase: number;
  readonly attempt: number;
  readonly quantity: number;
  readonly fields: FieldValues;
  /** Why the first attempt fails, of what the seed put there. */
  readonly fails: string | null;
  readonly activationFailure: string | null;
  readonly deletionFailure: string | null;
};

/**
 * Gives the reason why a phase of a job (a change of a service) fails; undefined when it succeeds. Failures can be
 * provoked: a field that ends in `fail.test`; a quantity of 13 fails the first set-up, one of 17 the deletion.
 */
export function failureOf(tried: Attempted): string | undefined {
  const { kind, phase, attempt, quantity, fields, fails } = tried;
  if (phase !== failingPhase[kind]) return undefined;
  if (fails !== null && attempt === 1) return fails;
  if (kind === 'delete') {
    return quantity === 17 && attempt === 1 ? (tried.deletionFailure ?? 'The service is still in use.') : undefined;
  }
  const isBroken = Object.values(fields).some(value => /(?:^|[@.])fail\.test$/i.test(String(value)));
  if (isBroken) return tried.activationFailure ?? 'What the order names does not answer.';
  return quantity === 13 && attempt === 1 ? 'There was no room for all of them just now.' : undefined;
}

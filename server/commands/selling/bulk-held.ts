import type { FieldNode } from '../../../shared/language/types.ts';
import type { Values } from '../../../shared/rules/grid.ts';
import { interpolate } from '../../../shared/rules/text.ts';
import { labelOf, type Words } from '../wizard/step-reply.ts';

/** The cloud's reply about a customer; `Fields` has the values that its record proposes. */
export type CheckedCustomer = {
  readonly CustomerId: string;
  readonly Name: string;
  /** Its quantity is among them. */
  readonly Fields: Values;
  /** How many it holds in the service that more would raise. */
  readonly Held?: number | null;
  readonly Obstacle?: string | null;
  readonly Reason?: string | null;
};

/** Field of what becomes of a service that a customer holds already. */
export const ifHeld = 'IfHeld';

export const holds = ({ Held }: CheckedCustomer): boolean => Held != null;

/** Asks, of each customer that holds the product, whether that is raised or a second subscription is ordered. */
export const ifHeldField = (words: Words): FieldNode => ({
  type: 'field',
  propertyName: ifHeld,
  kind: 'select',
  label: labelOf(words, ifHeld),
  mandatory: true,
  options: [
    { value: 'Raise', text: labelOf(words, 'raise') },
    { value: 'Second', text: labelOf(words, 'second') },
    { value: 'New', text: labelOf(words, 'none') },
  ],
});

/** A row's name says how many its customer holds. */
export const named = (customer: CheckedCustomer, words: Words, locale: string): CheckedCustomer =>
  holds(customer)
    ? {
        ...customer,
        Name: `${customer.Name}, ${interpolate(labelOf(words, 'holds'), { count: customer.Held }, locale)}`,
      }
    : customer;

/** Says at the check what becomes of what a customer holds: "25 become 35". */
export function heldNote(held: number | null | undefined, fields: Values, words: Words, locale: string): Values {
  if (fields[ifHeld] === undefined) return {};
  if (held == null) return { [ifHeld]: labelOf(words, 'none') };
  const after = held + Number(fields.Quantity);
  return {
    [ifHeld]:
      fields[ifHeld] === 'Raise'
        ? interpolate(labelOf(words, 'raises'), { count: after }, locale)
        : interpolate(labelOf(words, 'beside'), { count: held }, locale),
  };
}

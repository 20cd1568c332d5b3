import { setImmediate as nextTurn } from 'node:timers/promises';
import { gridKind } from '../../../shared/language/nodes/grid.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import { checkRow, readGrid, type Typed } from '../../../shared/rules/grid.ts';
import { heldField } from '../../../shared/rules/held-field.ts';
import { PortalError } from '../../errors.ts';
import { createPatternTest } from '../../layouts/names/pattern.ts';
import { ask } from '../../operations/ask.ts';
import { checkBody, messageOf } from '../../operations/check-body.ts';
import { beyondBounds } from '../../operations/json-bounds.ts';
import type { CommandContext } from '../command.ts';
import { type CheckedCustomer, holds, ifHeld } from './bulk-held.ts';
import { mostCustomers } from './bulk-kept.ts';
import type { Member } from './bulk-price.ts';
import type { Key } from './order-form.ts';

/** Bounds of a grid: a key with up to twelve values for each customer. */
const typedBounds = { depth: 3, values: 15 * mostCustomers };
/** Rows whose patterns are tested in one go. */
const chunk = 100;

const valuesField = heldField(gridKind.rules.holds, 'Values');

const byName = new Intl.Collator('en');

/** Reads those who were chosen, by name. `unanswered` is the first answer of who holds the product already. */
export async function checkChosen(
  context: CommandContext,
  key: Key,
  CustomerIds: readonly string[],
  unanswered: '' | 'New' = '',
): Promise<CheckedCustomer[]> {
  const { Items } = await ask(context, 'orders.judge', key, {
    body: { CustomerIds },
  });
  const isAnyHeld = Items.some(({ Held }) => Held != null);
  return Items.map(item => ({
    ...item,
    CustomerId: String(item.CustomerId),
    Fields: {
      Quantity: item.Quantity,
      // Whoever holds it is asked; there is nothing to answer for the others.
      ...(isAnyHeld && { [ifHeld]: item.Held == null ? 'New' : unanswered }),
      ...item.Fields,
    },
  })).sort((one, other) => byName.compare(one.Name, other.Name));
}

/** Reads what was typed for single customers. Throws FIELDS_INVALID for what is none, and for somebody who was not chosen. */
export function typedOf({ caller, body }: CommandContext, customers: readonly CheckedCustomer[]): Typed {
  const { Values } = checkBody([valuesField], body.Values === undefined ? {} : { Values: body.Values }, caller);
  const typed = beyondBounds(String(Values ?? ''), typedBounds) ? undefined : readGrid(Values);
  const known = new Set(customers.map(({ CustomerId }) => CustomerId));
  if (!typed || [...typed.keys()].some(id => !known.has(id)))
    throw new PortalError('FIELDS_INVALID', { detail: 'values of somebody who was not chosen' });
  return typed;
}

/**
 * Gives each customer's own answers: what its record proposes but for what was typed, which is validated here; the cloud
 * validates all of them. `errors` are the messages by customer and field; who has one is no member.
 */
export async function membersOf(
  { caller }: CommandContext,
  fields: readonly FieldNode[],
  customers: readonly CheckedCustomer[],
  typed: Typed,
): Promise<{ readonly members: readonly Member[]; readonly errors: Readonly<Record<string, string[]>> }> {
  const byName = new Map(fields.map(field => [field.propertyName, field]));
  const errors: [string, string[]][] = [];
  const members: Member[] = [];
  let test = createPatternTest();
  let tested = 0;
  for (const customer of customers) {
    const { CustomerId, Fields } = customer;
    const isUnanswered = Fields[ifHeld] === '';
    const own = typed.get(CustomerId) ?? (isUnanswered ? {} : undefined);
    if (!own) {
      members.push({ CustomerId, Fields });
      continue;
    }
    tested += 1;
    if (tested % chunk === 0) {
      await nextTurn();
      test = createPatternTest();
    }
    const row = checkRow(fields, Fields, own, test, true);
    // One answer for all reaches those too who hold none.
    const isRaised = row.values[ifHeld] === 'Raise' && !holds(customer);
    const values = isRaised ? { ...row.values, [ifHeld]: 'New' } : row.values;
    if (Object.keys(row.errors).length === 0) members.push({ CustomerId, Fields: values });
    for (const [name, error] of Object.entries(row.errors))
      errors.push([`Values.${CustomerId}.${name}`, [messageOf(byName.get(name), name, error, caller)]]);
  }
  return { members, errors: Object.fromEntries(errors) };
}

import { hasHidden } from '../../../shared/rules/hidden-characters.ts';
import { isEmail } from '../http/formats.ts';
import { type Item, itemType, type Popup, type Value } from './popup-definitions.ts';

export type Submission = Readonly<Record<string, Value | null>>;
export type CheckedSubmission = {
  /** What is to be kept: the values of the items that can be changed just now. */
  readonly values: Record<string, Value>;
  /** What is wrong, by DataItem. */
  readonly faults: Record<string, string[]>;
};

const shownOnly: readonly number[] = [itemType.subHeader, itemType.textDisplay, itemType.htmlDisplay];

/**
 * Checks the values that a generic popup submits (document 2, section 5). Gives the values to save, and the errors by
 * name; throws nothing. Items that a dependency hides or disables are in neither. An unknown name is an error.
 */
export function checkSubmission(
  { items, dependencies }: Popup,
  data: Submission,
  submitted: Submission,
): CheckedSubmission {
  const values: Record<string, Value> = {};
  const faults: Record<string, string[]> = {};
  for (const name of Object.keys(submitted)) {
    const isKnown = Object.hasOwn(data, name) || items.some(item => item.DataItem === name);
    if (!isKnown) faults[name] = [`${name} is not a known field`];
  }
  const isOff = (item: Item) =>
    dependencies.some(
      rule =>
        rule.DependentPropertyDataItem === item.DataItem &&
        submitted[rule.PropertyDataItem] === rule.PropertyDataItemDependencyValue,
    );
  for (const item of items.filter(candidate => !shownOnly.includes(candidate.Type) && !isOff(candidate))) {
    const value = submitted[item.DataItem] ?? '';
    const fault = faultOf(item, value);
    if (fault !== undefined) faults[item.DataItem] = [fault];
    else values[item.DataItem] = value;
  }
  return { values, faults };
}

/** A blank value is tested by the item's pattern alone: without one, the item need not be filled in. */
function faultOf({ Type, Regex, RegexError, RequiredValue }: Item, value: Value): string | undefined {
  const wrong = RegexError ?? 'Must be the correct format';
  if (RequiredValue !== undefined) return value === RequiredValue ? undefined : wrong;
  if (Type === itemType.checkbox) return typeof value === 'boolean' ? undefined : wrong;
  const isLike = Regex === undefined || new RegExp(Regex).test(String(value));
  if (value === '') return isLike ? undefined : wrong;
  if (Type === itemType.number ? typeof value !== 'number' : typeof value !== 'string') return wrong;
  if (Type === itemType.email && !isEmail(String(value))) return RegexError ?? 'Must be a valid email address';
  return isLike && !hasHidden(String(value)) ? undefined : wrong;
}

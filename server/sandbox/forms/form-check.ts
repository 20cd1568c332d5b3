import { hasHidden } from '../../../shared/rules/hidden-characters.ts';
import type { FormField } from './form-definitions.ts';

const longest = 1000;

/**
 * Gives what is wrong with the answers to a form, by field, in the words of document 2, section 5; empty when all are
 * right.
 * @param answers values by PropertyName, as they were sent
 */
export function validateAnswers(
  fields: readonly FormField[],
  answers: Readonly<Record<string, string>>,
): Record<string, string[]> {
  const faults: Record<string, string[]> = {};
  for (const name of Object.keys(answers)) {
    if (!fields.some(field => field.PropertyName === name)) faults[name] = [`${name} is not a known field`];
  }
  for (const field of fields) {
    const fault = faultOf(field, Object.hasOwn(answers, field.PropertyName) ? answers[field.PropertyName]! : '');
    if (fault !== undefined) faults[field.PropertyName] = [fault];
  }
  return faults;
}

function faultOf({ Mandatory, Regex, InvalidMessage }: FormField, value: string): string | undefined {
  if (value.trim() === '') return Mandatory ? 'This is a mandatory field' : undefined;
  if ([...value].length > longest) return `Must be a maximum of ${longest} character(s)`;
  // Answers may have lines.
  const isShown = !hasHidden(value.replace(/[\t\r\n]/g, ''));
  if (!isShown || (Regex !== undefined && !new RegExp(Regex).test(value)))
    return InvalidMessage ?? 'Must be the correct format';
  return undefined;
}

import type { PatternName } from '../../../shared/language/patterns.ts';
import { hasHidden } from '../../../shared/rules/hidden-characters.ts';
import { namedPatterns } from '../../../shared/rules/named-patterns.ts';
import type { OfferField } from '../marketplace/offer.ts';
import type { FieldValues } from './tables.ts';

/**
 * Gives what is wrong with the answers to a product's own fields, by field (document 2, section 5, dynamic form); empty
 * when all are right.
 */
export function checkFields(fields: readonly OfferField[], values: FieldValues): Record<string, string[]> {
  const faults: Record<string, string[]> = {};
  for (const field of fields) {
    const value = Object.hasOwn(values, field.PropertyName) ? values[field.PropertyName] : undefined;
    const fault = faultOf(field, value ?? '');
    if (fault !== undefined) faults[field.PropertyName] = [fault];
  }
  const known = new Set(fields.map(({ PropertyName }) => PropertyName));
  for (const name of Object.keys(values)) {
    if (!known.has(name)) faults.Fields = [`${name.slice(0, 60)} is not a known field`];
  }
  return faults;
}

const isPattern = (kind: string): kind is PatternName => Object.hasOwn(namedPatterns, kind);

function faultOf({ Kind, Mandatory, Options, Regex, InvalidMessage }: OfferField, value: string | number | boolean) {
  if (Kind === 'checkbox') {
    if (value !== '' && typeof value !== 'boolean') return 'Must be the correct format';
    return Mandatory && value !== true ? 'This is required' : undefined;
  }
  if (typeof value === 'boolean') return 'Must be the correct format';
  const written = String(value).trim();
  if (written === '') return Mandatory ? 'This is a mandatory field' : undefined;
  if (written.length > 200) return 'Must be a maximum of 200 character(s)';
  if (hasHidden(String(value))) return 'Must be the correct format';
  if (Kind === 'select' && !Options.includes(written)) return `Must be one of ${Options.join(', ')}`;
  if (Kind === 'date' && !isDay(written)) return 'Must be the correct format';
  if (isPattern(Kind) && !namedPatterns[Kind](written)) return 'Must be the correct format';
  return Regex !== '' && !new RegExp(Regex, 'u').test(written) ? InvalidMessage : undefined;
}

/** As in "2027-02-28". */
function isDay(written: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(written)) return false;
  const day = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(written);
}

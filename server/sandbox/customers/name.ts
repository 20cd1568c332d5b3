/** Letters, digits, marks and spaces of any alphabet, and . , & ' ( ) - / + */
const allowed = /^[\p{L}\p{M}\p{N} .,&'()\-/+]+$/u;

/**
 * Gives what is wrong with a customer's name, in the words of document 1, section 5; undefined for a valid name.
 * @param name trimmed and in Unicode's composed form (NFC)
 */
export function validateCustomerName(name: string): string | undefined {
  if (name === '') return 'cannot be empty';
  if ([...name].length > 100) return 'Must be a maximum of 100 character(s)';
  if (!allowed.test(name)) return 'invalid characters';
  return undefined;
}

/** Brings a customer's name into one spelling, so that two names that look alike are equal. */
export function normaliseName(name: string): string {
  return name.normalize('NFC').trim();
}

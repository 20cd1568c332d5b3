/**
 * Reads a date that the cloud writes as up to 13 digits of epoch milliseconds between two other characters,
 * "/1762560000000/" (document 2, section 3, disaster recovery). Undefined for anything else.
 */
export function readEpoch(wire: unknown): Date | undefined {
  const [, digits] = (typeof wire === 'string' && /^\D(\d{1,13})\D$/u.exec(wire)) || [];
  return digits === undefined ? undefined : new Date(Number(digits));
}

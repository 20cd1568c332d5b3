/**
 * The moment that the cloud writes as epoch milliseconds, padded with zeros to 13 digits, between one character before
 * and one after (document 2, section 3, disaster recovery): "/1762560000000/". Undefined for anything else.
 */
export function readEpoch(wire: unknown): Date | undefined {
  const [, digits] = (typeof wire === 'string' && /^\D(\d{1,13})\D$/u.exec(wire)) || [];
  return digits === undefined ? undefined : new Date(Number(digits));
}

/**
 * Reads a moment that the cloud writes as up to 13 digits of epoch milliseconds between two other characters,
 * "/1762560000000/" (document 2, section 3, disaster recovery), and gives it as RFC 3339. What has been read before stays
 * as it is; anything else is undefined.
 */
export function readEpoch(wire: string): string | undefined {
  const [, digits] = /^\D(\d{1,13})\D$/u.exec(wire) ?? [];
  if (digits !== undefined) return new Date(Number(digits)).toISOString();
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(wire) && !Number.isNaN(Date.parse(wire)) ? wire : undefined;
}

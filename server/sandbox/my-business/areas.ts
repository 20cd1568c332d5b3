/** Kinds of areas that a company works in, as it may name them. */
export const areas: readonly string[] = [
  'Cloud and hosting',
  'Connectivity',
  'Consultancy',
  'Hardware and devices',
  'IT support',
  'Managed security',
  'Software development',
  'Telephony',
  'Training',
  'Web design',
];

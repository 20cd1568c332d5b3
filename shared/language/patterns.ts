/**
 * The patterns that fields name, and what they take (document 1, section 5). Each has its own message, `form.<name>`; the
 * kinds `email` and `phone` are such patterns too. `named-patterns.ts` of the rules tests them.
 */
export const patterns = {
  digits: 'digits only',
  email: "letters, digits and . _ - ' before the @, then a domain that ends in 2 to 15 letters",
  phone: '0, or 00 or + and a country code of 1 to 4 digits, then 10 digits or groups of 4, 3 and 3',
  'hex-colour': '# and 6 hexadecimal digits',
  ipv4: 'an IPv4 address, four numbers of 0 to 255',
  alphanumeric: 'letters and digits without accents',
  'alphanumeric-with-spaces': 'the same with spaces, hyphens and dots',
  'customer-id': 'mex, 8 digits, a hyphen and 8 digits',
} as const;
export type PatternName = keyof typeof patterns;

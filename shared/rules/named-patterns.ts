import type { PatternName } from '../language/patterns.ts';

type Matches = (value: string) => boolean;

/** Tests an expression that runs in linear time, on values of so many characters at most. */
const like =
  (expression: RegExp, longest = Number.POSITIVE_INFINITY): Matches =>
  value =>
    value.length <= longest && expression.test(value);

/** Four numbers of 0 to 255. A zero before another digit is refused: some programs read such a number as octal. */
const isIpv4: Matches = value => {
  const parts = value.split('.');
  return parts.length === 4 && parts.every(part => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
};

/** Whether a value matches a pattern of the language, by its name. */
export const namedPatterns: Readonly<Record<PatternName, Matches>> = {
  digits: like(/^\d+$/),
  email: like(/^[A-Za-z0-9._'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,15}(?:\.[A-Za-z]{2,15})?$/, 320),
  phone: like(/^(?:0|(?:00|\+)\d{1,4} ?)(?:\d{10}|\d{4} \d{3} \d{3})$/, 40),
  'hex-colour': like(/^#[0-9A-Fa-f]{6}$/),
  ipv4: isIpv4,
  alphanumeric: like(/^[A-Za-z0-9]+$/),
  'alphanumeric-with-spaces': like(/^[A-Za-z0-9 .-]+$/),
  'customer-id': like(/^mex\d{8}-\d{8}$/),
};

/** The spec's patterns (document 1, section 5). Each looks at the length first, since ajv checks everything. */
const emailPattern = /^[A-Za-z0-9._'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,15}$/;
const phonePattern = /^(?:0|(?:00|\+)\d{1,4} ?)(?:\d{10}|\d{4} \d{3} \d{3})$/;
const domainPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,15}$/i;

/** True for an e-mail address of at most 254 characters. */
export const isEmail = (value: string) => value.length <= 254 && emailPattern.test(value);
/** True for a phone number and for ''. */
export const isPhone = (value: string) => value === '' || (value.length <= 40 && phonePattern.test(value));
/** True for a domain name of at most 253 characters. */
export const isDomain = (value: string) => value.length <= 253 && domainPattern.test(value);
/** True for a day that there is, as 2026-02-28. */
const isDay = (value: string) => {
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${value}T`);
};
const isFilled = (value: string) => value.trim() !== '';

/** String formats that the sandbox's schemas name. */
export const formats = {
  'cloud-email': isEmail,
  'cloud-phone': isPhone,
  'cloud-domain': isDomain,
  'cloud-day': isDay,
  'cloud-filled': isFilled,
  'date-time': true,
} as const;

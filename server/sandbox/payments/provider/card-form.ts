export type Brand = 'Visa' | 'MasterCard' | 'AmericanExpress';

/** Faults of fields, by their name or `error`, in the provider's codes (Payment Pages 2.0). */
export type FieldError = {
  readonly key: string;
  /** 001 required, 002 number, 003 type, 004 CVV, 007 captcha. */
  readonly code: '001' | '002' | '003' | '004' | '007' | 'unknown';
  readonly message: string;
};

/** What was typed, by field name. */
export type Form = Readonly<Record<string, string>>;

export type Method = {
  readonly brand: Brand | null;
  readonly last4: string;
  readonly holder: string;
  /** Last day of its month, as YYYY-MM-DD. */
  readonly expires: string | null;
  readonly behaviour: string | null;
};

/** Numbers for tests: how the card behaves. All others work. */
const behaviours: Readonly<Record<string, string>> = {
  '4000000000000127': 'refused',
  '4000000000000101': 'captcha',
  '4000000000000259': 'stale',
  '4000000000000341': 'replayed',
  '4000000000000192': 'forged',
  '4000000000000002': 'declined',
  '4000000000000069': 'expired',
  '4000000000000077': 'slow',
  '4000000000000119': 'nonsense',
};

const brands: readonly [Brand, RegExp][] = [
  ['Visa', /^4\d{15}$/],
  ['MasterCard', /^(?:5[1-5]\d{14}|2[2-7]\d{14})$/],
  ['AmericanExpress', /^3[47]\d{13}$/],
];

/** The check digit of ISO/IEC 7812-1, annex B. */
function hasCheckDigit(number: string): boolean {
  let sum = 0;
  for (const [place, digit] of [...number].reverse().entries()) {
    const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const required = (key: string, form: Form): FieldError[] =>
  (form[key] ?? '').trim() === '' ? [{ key, code: '001', message: 'This field is required.' }] : [];

/** The last day of a month that was typed as MM/YY. */
function lastDayOf(expiry: string): string | undefined {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/\s*(\d{2})$/.exec(expiry) ?? [];
  if (month === undefined || year === undefined) return undefined;
  return new Date(Date.UTC(2000 + Number(year), Number(month), 0)).toISOString().slice(0, 10);
}

/**
 * Reads a card from the typed form, or gives the errors by field. `types` are the card types that the cloud accepts.
 */
export function readCard(form: Form, types: readonly string[], today: string): Method | FieldError[] {
  const missing = ['cardNumber', 'cardHolder', 'expiry', 'cvv'].flatMap(key => required(key, form));
  if (missing.length > 0) return missing;
  const number = (form.cardNumber ?? '').replace(/[ -]/g, '');
  const brand = brands.find(([, pattern]) => pattern.test(number))?.[0];
  if (brand === undefined || !hasCheckDigit(number))
    return [{ key: 'cardNumber', code: '002', message: 'This is not a card number.' }];
  if (!types.includes(brand)) return [{ key: 'cardNumber', code: '003', message: 'Cards of this type are not taken.' }];
  const expires = lastDayOf((form.expiry ?? '').trim());
  if (expires === undefined || expires < today)
    return [{ key: 'expiry', code: 'unknown', message: 'Enter a month that is not over, as MM/YY.' }];
  const length = brand === 'AmericanExpress' ? 4 : 3;
  if (!new RegExp(`^\\d{${length}}$`).test(form.cvv ?? '') || /^0+$/.test(form.cvv ?? ''))
    return [{ key: 'cvv', code: '004', message: `The security code has ${length} digits.` }];
  const behaviour = behaviours[number] ?? null;
  if (behaviour === 'captcha' && form.robot !== 'no')
    return [{ key: 'robot', code: '007', message: 'Say that you are not a robot.' }];
  if (behaviour === 'refused')
    return [{ key: 'error', code: 'unknown', message: 'The card was declined by its bank.' }];
  return { brand, last4: number.slice(-4), holder: (form.cardHolder ?? '').trim(), expires, behaviour };
}

/** An IBAN (ISO 13616), by its check digits. */
function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  const digits = [...(text.slice(4) + text.slice(0, 4))].map(sign => Number.parseInt(sign, 36)).join('');
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/**
 * Reads a bank account for direct debit from the typed form, or gives the errors: sort code and account number for
 * pounds, IBAN for euros.
 */
export function readBankAccount(form: Form, currency: string): Method | FieldError[] {
  const asked = currency === 'EUR' ? ['accountHolder', 'iban'] : ['accountHolder', 'sortCode', 'accountNumber'];
  const missing = asked.flatMap(key => required(key, form));
  if (missing.length > 0) return missing;
  const holder = (form.accountHolder ?? '').trim();
  if (currency === 'EUR') {
    const iban = (form.iban ?? '').replace(/ /g, '').toUpperCase();
    if (!isIban(iban)) return [{ key: 'iban', code: '002', message: 'This is not an IBAN.' }];
    return { brand: null, last4: iban.slice(-4), holder, expires: null, behaviour: accountBehaviour(iban) };
  }
  if (!/^\d{6}$/.test((form.sortCode ?? '').replace(/[ -]/g, '')))
    return [{ key: 'sortCode', code: '002', message: 'A sort code has six digits.' }];
  const account = (form.accountNumber ?? '').replace(/ /g, '');
  if (!/^\d{8}$/.test(account))
    return [{ key: 'accountNumber', code: '002', message: 'An account number has eight digits.' }];
  return { brand: null, last4: account.slice(-4), holder, expires: null, behaviour: accountBehaviour(account) };
}

/** Accounts for tests: one that the bank refuses, and one whose mandate is cancelled at the bank once it is active. */
const accountBehaviour = (account: string): string | null =>
  account.endsWith('0002') ? 'refused' : account.endsWith('0009') ? 'cancelled' : null;

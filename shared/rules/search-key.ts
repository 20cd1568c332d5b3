/** Letters that no decomposition takes apart, and typographic signs, as people type them who search for them. */
const plainSigns: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
  ...{ ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l', ŋ: 'n', ŧ: 't', ς: 'σ' },
  ...{ '’': "'", '‘': "'", ʼ: "'", '‐': '-', '‒': '-', '–': '-', '—': '-' },
};
const signs = new RegExp(`[${Object.keys(plainSigns).join('')}]`, 'g');

/**
 * Gives a text as searches compare it: in small letters, without accents and in one form of Unicode, so that "muller"
 * finds "Müller" and "lodz" "Łódź". The sandbox's SQL function `search_key` is the same.
 */
export const searchKey = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(signs, sign => plainSigns[sign]!)
    .normalize('NFC');

import { isLanguageTag } from '../access/principal.ts';

const longestHeader = 200;

/** Lists the languages that a header `Accept-Language` asks for, best first (RFC 9110, section 12.5.4). */
export function acceptedLanguages(header = ''): readonly string[] {
  return header
    .slice(0, longestHeader)
    .split(',')
    .map(part => {
      const [language = '', weight = '1'] = part.split(/;\s*q=/i);
      return { language: language.trim(), weight: Number(weight) };
    })
    .filter(({ language, weight }) => isLanguageTag(language) && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => language);
}

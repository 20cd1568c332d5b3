import { plural } from '../../server/editing/declarations.ts';
import type { Source } from '../../server/layouts/names/source.ts';
import { defaultLanguage, placeOfTexts } from '../../server/layouts/names/texts.ts';

/** Lists the keys of the texts that the default language has and another one does not. */
export function missingTexts(sources: readonly Source[], language: string): string[] {
  const keysOf = (wanted: string): ReadonlySet<string> =>
    new Set(
      sources.flatMap(({ kind, file, json }) => {
        const place = kind === 'texts' ? placeOfTexts(file) : undefined;
        if (place?.language !== wanted) return [];
        const names = Object.keys(json).filter(name => name !== '$schema');
        return names.map(name => `${place.area}.${name.replace(plural, '')}`);
      }),
    );
  const known = keysOf(language);
  return [...keysOf(defaultLanguage)].filter(key => !known.has(key));
}

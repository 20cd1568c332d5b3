import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Fonts by the scripts that they have, the first that has a letter prints it. Each is cut into files by code points, as
 * its `unicode.json` says.
 */
const families: readonly { readonly name: string; readonly has: RegExp }[] = [
  { name: 'noto-sans-arabic', has: /\p{scx=Arabic}/u },
  { name: 'noto-sans-hebrew', has: /\p{scx=Hebrew}/u },
  { name: 'noto-sans-thai', has: /\p{scx=Thai}/u },
  { name: 'noto-sans-kr', has: /\p{scx=Hangul}/u },
  { name: 'noto-sans-sc', has: /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\uff00-\uffef]/u },
  { name: 'noto-sans', has: /./su },
];

/** Letters that are never seen by themselves, such as joiners and marks of direction. */
export const unseen = /^\p{Default_Ignorable_Code_Point}+$/u;

export const weights = ['regular', 'bold'] as const;
export type Weight = (typeof weights)[number];
const axes = { regular: 400, bold: 700 } as const;

type Range = readonly [first: number, last: number];
type Family = {
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly ranges: Range[] }[];
};

const byLetter = new Intl.Segmenter('und');
const require = createRequire(import.meta.url);
const known = new Map<string, Promise<Family>>();

function familyOf(name: string): Promise<Family> {
  let family = known.get(name);
  if (!family) {
    family = readFamily(name);
    known.set(name, family);
  }
  return family;
}

async function readFamily(name: string): Promise<Family> {
  const list = require.resolve(`@fontsource-variable/${name}/unicode.json`);
  const files = JSON.parse(await readFile(list, 'utf8')) as Record<string, string>;
  return {
    folder: join(dirname(list), 'files'),
    files: Object.entries(files).map(([key, ranges]) => ({
      name: `${name}-${key.replace(/[[\]]/g, '')}-wght-normal.woff2`,
      ranges: ranges.split(',').map(rangeOf),
    })),
  };
}

/** "U+0600-06FF" or "U+204F". */
function rangeOf(text: string): Range {
  const [first = '', last = first] = text.trim().replace(/^U\+/i, '').split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

/** A font that has some letters of a document and no others, in both weights. */
export type CutFont = { readonly letters: ReadonlySet<number>; readonly data: Readonly<Record<Weight, Uint8Array>> };

/**
 * Cuts fonts to the letters of a text that the built-in fonts do not have (`isOther`). A letter that no font has is in
 * none of them.
 */
export async function cutFonts(text: string, isOther: (letter: string) => boolean): Promise<CutFont[]> {
  const byFile = new Map<string, Set<number>>();
  for (const letter of new Set(Array.from(byLetter.segment(text), ({ segment }) => segment))) {
    const points = Array.from(letter).filter(one => isOther(one) && !unseen.test(one));
    const family = families.find(({ has }) => points.some(one => has.test(one)));
    if (points.length === 0 || !family) continue;
    const { folder, files } = await familyOf(family.name);
    const wanted = points.map(one => one.codePointAt(0)!);
    // Of a letter with its marks one font must have all.
    const file = files.find(({ ranges }) =>
      wanted.every(point => ranges.some(([first, last]) => first <= point && point <= last)),
    );
    if (!file) continue;
    const path = join(folder, file.name);
    byFile.set(path, new Set([...(byFile.get(path) ?? []), ...wanted]));
  }
  if (byFile.size === 0) return [];
  const joiners = [...new Set(text)].filter(letter => unseen.test(letter)).join('');
  const { default: subsetFont } = await import('subset-font');
  return await Promise.all(
    [...byFile].map(async ([path, letters]) => {
      const whole = await readFile(path);
      const cut = (weight: Weight): Promise<Uint8Array> =>
        subsetFont(whole, `${String.fromCodePoint(...letters)}${joiners}`, {
          ...{ targetFormat: 'truetype', variationAxes: { wght: axes[weight] } },
        });
      return { letters, data: { regular: await cut('regular'), bold: await cut('bold') } };
    }),
  );
}

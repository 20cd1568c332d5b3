import i18next, { type i18n as I18n } from 'i18next';
import type { LayoutText, Requirement } from '../../../shared/language/types.ts';
import type { Problem } from './problem.ts';
import type { LongDocument } from './source.ts';

type Variant = { readonly requires?: Requirement; readonly text: string };
type PluralForm = Intl.LDMLPluralRule;

/** A text as one language has it: variants, or plural forms. */
export type WrittenText = {
  readonly source: LongDocument;
  /** Its first name in the file, as a place for problems. */
  readonly name: string;
  /** Empty for a plural. */
  readonly variants: readonly Variant[];
  readonly forms: Set<PluralForm>;
  /** Names that it interpolates, over all its variants and plural forms. */
  readonly names: Set<string>;
};
/** Language → key → text. */
export type WrittenTexts = ReadonlyMap<string, Map<string, WrittenText>>;

/** Texts of all languages, by key; plural forms are folded into one text. */
export type Texts = {
  /** Key → names that the text interpolates, as the default language has it. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** Languages with a folder of texts, the default one first. */
  readonly languages: readonly string[];
  /** The language of a locale: for "de-AT" the first of de-AT, de and the default one that has texts. */
  languageOf(locale: string): string;
  /** The language for somebody who asks for these, best first; undefined where there is none of them. */
  choose(wishes: readonly string[]): string | undefined;
  /** The text for a caller: of variants the first whose requirement is met, in the first language that has the text. */
  resolve(key: string, meets: (requirement: Requirement | undefined) => boolean, locale: string): LayoutText;
  /** A text filled with values; of variants the one without a requirement. */
  fill(key: string, values: Readonly<Record<string, string>>, locale: string): string;
  /** Keys of one area. */
  area(name: string): readonly string[];
};

/** The language that has every text: the others fall back on it. */
export const defaultLanguage = 'en';
const pluralSuffix = /_(zero|one|two|few|many|other)$/;
/** A language, perhaps with a script and a region: de, de-AT, zh-Hant-TW. */
const textFile = /^text\/([a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?)\/([a-z][a-z0-9-]*)\.json$/;

/**
 * Gives language and area of a text document from its file, `text/<language>/<area>.json`; undefined for other files.
 */
export function placeOfTexts(file: string): { readonly language: string; readonly area: string } | undefined {
  const [, language, area] = textFile.exec(file) ?? [];
  return language === undefined || area === undefined ? undefined : { language, area };
}

/** Reads the text documents (`text/<language>/<area>.json`) of all languages. */
export function createTexts(sources: readonly LongDocument[]): {
  texts: Texts;
  written: WrittenTexts;
  problems: Problem[];
} {
  const problems: Problem[] = [];
  const written = new Map<string, Map<string, WrittenText>>([[defaultLanguage, new Map()]]);
  // Without a prototype, since an area may be called "constructor".
  const resources: Resources = Object.create(null);
  for (const source of sources) {
    const place = placeOfTexts(source.file);
    if (!place) {
      problems.push(source.problem([], 'Text files stand in text/<language>/<area>.json.'));
      continue;
    }
    const texts = written.get(place.language) ?? new Map<string, WrittenText>();
    written.set(place.language, texts);
    resources[place.language] ??= Object.create(null) as Resources[string];
    const area: Record<string, string> = Object.create(null);
    (resources[place.language] as Record<string, unknown>)[place.area] = area;
    problems.push(...readArea(source, place.area, texts, area));
  }
  const i18n = createI18n(resources);
  const languages = [...written.keys()];
  const chains = new Map<string, readonly string[]>();
  const chainOf = (locale: string): readonly string[] => {
    let chain = chains.get(locale);
    if (!chain) {
      chain = fallbacksOf(i18n, locale, [defaultLanguage]).filter(one => written.has(one));
      chains.set(locale, chain);
    }
    return chain;
  };
  const read = (language: string, area: string, name: string): string =>
    (i18n.getResource(language, area, name) as string | undefined) ?? '';
  const base = written.get(defaultLanguage) as Map<string, WrittenText>;
  const texts: Texts = {
    names: new Map([...base].map(([key, { names }]) => [key, names])),
    languages,
    languageOf: locale => chainOf(locale)[0] ?? defaultLanguage,
    choose: wishes => wishes.flatMap(wish => fallbacksOf(i18n, wish, [])).find(one => written.has(one)),
    resolve(key, meets, locale) {
      const language = chainOf(locale).find(one => written.get(one)?.has(key));
      const text = language === undefined ? undefined : written.get(language)?.get(key);
      if (!text || language === undefined) return '';
      const [area, name] = splitKey(key);
      if (text.forms.size > 0)
        return Object.fromEntries([...text.forms].sort().map(form => [form, read(language, area, `${name}_${form}`)]));
      const index = text.variants.findIndex(variant => meets(variant.requires));
      const variant = text.variants[index];
      return variant ? read(language, area, nameOfVariant(name, variant, index)) : '';
    },
    fill(key, values, locale) {
      const [ns, name] = splitKey(key);
      // No text calls another.
      return i18n.exists(name, { lng: locale, ns }) ? i18n.t(name, { ...values, lng: locale, ns, nest: false }) : '';
    },
    area: name => [...base.keys()].filter(key => key.startsWith(`${name}.`)).sort(),
  };
  return { texts, written, problems };
}

const splitKey = (key: string): readonly [area: string, name: string] => {
  const dot = key.indexOf('.');
  return [key.slice(0, dot), key.slice(dot + 1)];
};

/** What everybody may read keeps its name. */
const nameOfVariant = (name: string, { requires }: Variant, index: number): string =>
  requires === undefined ? name : `${name}#${index}`;

type Resources = Record<string, Record<string, Record<string, string>>>;

/** "de-AT", "de" and what is to come last. A list of fallbacks keeps i18next from remembering what strangers ask for. */
const fallbacksOf = (i18n: I18n, locale: string, last: readonly string[]): readonly string[] =>
  i18n.services.languageUtils.toResolveHierarchy(locale, last) as string[];

/** Which language stands in for which, and the filling of the server's own texts, are i18next's. */
function createI18n(resources: Resources): I18n {
  const i18n = i18next.createInstance();
  void i18n.init({
    lng: defaultLanguage,
    fallbackLng: defaultLanguage,
    resources,
    initAsync: false,
    keySeparator: false,
    nsSeparator: false,
    // What is filled is escaped where it is shown.
    interpolation: { escapeValue: false },
    showSupportNotice: false,
  } as Parameters<typeof i18n.init>[0]);
  return i18n;
}

/** Reads the texts of one file into those of its language, and into the resources of i18next. */
function readArea(
  source: LongDocument,
  area: string,
  texts: Map<string, WrittenText>,
  resources: Record<string, string>,
): Problem[] {
  const problems: Problem[] = [];
  const keys = new Set<string>();
  const report = (name: string, message: string): void => void problems.push(source.problem([name], message));
  for (const [name, value] of Object.entries(source.json)) {
    if (name === '$schema') continue;
    if (!/^[A-Za-z0-9_.$-]+$/.test(name)) report(name, `The name "${name}" cannot be used for a text.`);
    const list = typeof value === 'string' ? [{ text: value }] : (value as readonly Variant[]);
    if (list.at(-1)?.requires) report(name, 'The last variant of a text needs no requirement.');
    const suffix = pluralSuffix.exec(name);
    if (suffix && typeof value !== 'string') report(name, 'A plural form has no variants.');
    const own = suffix ? name.slice(0, suffix.index) : name;
    const key = `${area}.${own}`;
    const known = texts.get(key);
    const text: WrittenText = {
      source,
      name: known?.name ?? name,
      variants: suffix ? (known?.variants ?? []) : list,
      forms: known?.forms ?? new Set(),
      names: known?.names ?? new Set(),
    };
    texts.set(key, text);
    keys.add(key);
    if (suffix) {
      text.forms.add(suffix[1] as PluralForm);
      text.names.add('count');
    }
    list.forEach((variant, index) => {
      resources[suffix ? name : nameOfVariant(name, variant, index)] ??= variant.text;
      for (const [, used = ''] of variant.text.matchAll(/\{\{([^{}]*)\}\}/g)) {
        if (/^\w+$/.test(used)) text.names.add(used);
        else report(name, `"{{${used}}}" is not a name; a text interpolates only values that its node hands it.`);
      }
    });
  }
  for (const key of keys) {
    const { name, forms } = texts.get(key) as WrittenText;
    if (forms.size > 0 && !forms.has('other'))
      report(name, `The plural "${key}" has no form "${key.slice(area.length + 1)}_other".`);
  }
  return problems;
}

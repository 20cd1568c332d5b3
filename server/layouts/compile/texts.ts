import i18next from 'i18next';
import type { LayoutText, Requirement } from '../../../shared/language/types.ts';
import type { Source } from '../load/load.ts';
import type { Problem } from '../load/problem.ts';

type Variants = readonly { readonly requires?: Requirement; readonly text: string }[];

/** Texts of one language, by key; plural forms are folded into one text. */
export type Texts = {
  /** Key → names that the text interpolates, over all its variants and plural forms. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** The text for a caller: of variants the first whose requirement is met. */
  resolve(key: string, meets: (requirement: Requirement | undefined) => boolean): LayoutText;
  /** Keys of one area. */
  area(name: string): readonly string[];
};

export const language = 'en';
const pluralSuffix = /_(zero|one|two|few|many|other)$/;

/** Reads the text documents (`text/<language>/<area>.json`); the first language is English, the only one so far. */
export function createTexts(sources: readonly Source[]): { texts: Texts; problems: Problem[] } {
  const problems: Problem[] = [];
  const variants = new Map<string, Variants>();
  const plurals = new Map<string, { forms: Set<Intl.LDMLPluralRule>; report: (form: string) => void }>();
  const names = new Map<string, Set<string>>();
  // Without a prototype, since an area may be called "constructor".
  const areas: Record<string, Record<string, string>> = Object.create(null);
  const add = (area: string, key: string, text: string) => {
    areas[area] ??= Object.create(null) as Record<string, string>;
    areas[area][key] = text;
  };
  for (const source of sources) {
    const place = /^text\/([a-z]{2}(?:-[A-Z]{2})?)\/([a-z][a-z0-9-]*)\.json$/.exec(source.file);
    if (!place) {
      problems.push(source.problem([], 'Text files stand in text/<language>/<area>.json.'));
      continue;
    }
    const [, locale, area] = place as unknown as [string, string, string];
    if (locale !== language) {
      problems.push(
        source.problem([], `Texts in "${locale}" are not used: the portal speaks "${language}".`, 'warning'),
      );
      continue;
    }
    for (const [name, value] of Object.entries(source.json)) {
      if (name === '$schema') continue;
      if (!/^[A-Za-z0-9_.$-]+$/.test(name))
        problems.push(source.problem([name], `The name "${name}" cannot be used for a text.`));
      const list: Variants = typeof value === 'string' ? [{ text: value }] : (value as Variants);
      if (list.at(-1)?.requires)
        problems.push(source.problem([name], 'The last variant of a text needs no requirement.'));
      const suffix = pluralSuffix.exec(name);
      const key = `${area}.${suffix ? name.slice(0, suffix.index) : name}`;
      if (suffix) {
        if (typeof value !== 'string') problems.push(source.problem([name], 'A plural form has no variants.'));
        const report = (form: string) =>
          problems.push(
            source.problem([name], `The plural "${key}" has no form "${key.slice(area.length + 1)}_${form}".`),
          );
        if (!plurals.has(key)) plurals.set(key, { forms: new Set(), report });
        plurals.get(key)?.forms.add(suffix[1] as Intl.LDMLPluralRule);
      } else variants.set(key, list);
      const used = names.get(key) ?? new Set<string>(suffix ? ['count'] : []);
      list.forEach((variant, index) => {
        add(area, suffix ? name : `${name}#${index}`, variant.text);
        for (const [, used_] of variant.text.matchAll(/\{\{([^{}]*)\}\}/g)) {
          if (/^\w+$/.test(used_ ?? '')) used.add(used_ as string);
          else
            problems.push(
              source.problem(
                [name],
                `"{{${used_}}}" is not a name; a text interpolates only values that its node hands it.`,
              ),
            );
        }
      });
      names.set(key, used);
    }
  }
  for (const { forms, report } of plurals.values()) if (!forms.has('other')) report('other');
  const i18n = i18next.createInstance();
  void i18n.init({
    lng: language,
    fallbackLng: language,
    resources: { [language]: areas },
    initAsync: false,
    keySeparator: false,
    nsSeparator: '.',
    showSupportNotice: false,
  } as Parameters<typeof i18n.init>[0]);
  const read = (area: string, name: string): string =>
    (i18n.getResource(language, area, name) as string | undefined) ?? '';
  const texts: Texts = {
    names,
    resolve(key, meets) {
      const dot = key.indexOf('.');
      const area = key.slice(0, dot);
      const name = key.slice(dot + 1);
      const forms = plurals.get(key)?.forms;
      if (forms) return Object.fromEntries([...forms].sort().map(form => [form, read(area, `${name}_${form}`)]));
      const index = variants.get(key)?.findIndex(variant => meets(variant.requires)) ?? -1;
      return index < 0 ? '' : read(area, `${name}#${index}`);
    },
    area: name => [...names.keys()].filter(key => key.startsWith(`${name}.`)).sort(),
  };
  return { texts, problems };
}

import { type Problem, suggest } from '../names/problem.ts';
import type { LongDocument } from '../names/source.ts';
import { defaultLanguage, placeOfTexts, type WrittenText, type WrittenTexts } from '../names/texts.ts';

/**
 * Checks the texts of every other language against those of the default one: a text that the default one does not have,
 * other placeholders or other variants are errors; a text that is missing is a warning, since the default one stands in.
 */
export function checkLanguages(written: WrittenTexts, sources: readonly LongDocument[]): Problem[] {
  const base = written.get(defaultLanguage) ?? new Map<string, WrittenText>();
  const areas = new Set([...base.keys()].map(areaOf));
  const problems: Problem[] = [];
  for (const [language, texts] of written) {
    if (language === defaultLanguage) continue;
    const files = new Map(
      sources.flatMap(source => {
        const place = placeOfTexts(source.file);
        return place?.language === language ? [[place.area, source] as const] : [];
      }),
    );
    for (const [area, source] of files)
      if (!areas.has(area))
        problems.push(source.problem([], `There is no text/${defaultLanguage}/${area}.json.${suggest(area, areas)}`));
    for (const [key, text] of texts) {
      const original = base.get(key);
      if (original) problems.push(...compare(key, text, original, language));
      else if (areas.has(areaOf(key))) problems.push(unknown(key, text, base.keys()));
    }
    if (!hasStandIn(language, written)) problems.push(...missing(language, texts, base, files));
  }
  return problems;
}

const areaOf = (key: string): string => key.slice(0, key.indexOf('.'));
const nameOf = (key: string): string => key.slice(key.indexOf('.') + 1);
const list = (names: Iterable<string>): string =>
  [...names]
    .sort()
    .map(name => `{{${name}}}`)
    .join(', ');

/** True for a language such as "de-AT" that another one than the default stands in for, or that is one of its own. */
function hasStandIn(language: string, written: WrittenTexts): boolean {
  const parts = language.split('-');
  return parts.some((_, length) => length > 0 && written.has(parts.slice(0, length).join('-')));
}

function unknown(key: string, { source, name }: WrittenText, known: Iterable<string>): Problem {
  const near = [...known].filter(other => areaOf(other) === areaOf(key)).map(nameOf);
  return source.problem(
    [name],
    `Text "${key}" is not in text/${defaultLanguage}, so nothing shows it.${suggest(nameOf(key), near)}`,
  );
}

function compare(key: string, text: WrittenText, original: WrittenText, language: string): Problem[] {
  const report = (message: string, severity: Problem['severity'] = 'error') =>
    text.source.problem([text.name], message, severity);
  const problems: Problem[] = [];
  for (const name of text.names)
    if (!original.names.has(name))
      problems.push(
        report(
          `Text "${key}" is handed no value "${name}": text/${defaultLanguage} has ${list(original.names) || 'no value'}.${suggest(name, original.names)}`,
        ),
      );
  const left = [...original.names].filter(name => !text.names.has(name));
  if (left.length > 0) problems.push(report(`Text "${key}" leaves out ${list(left)}.`));
  // A text for those with a right must not become everybody's by its translation.
  if (!hasSameVariants(text, original))
    problems.push(
      report(
        `The variants of "${key}" must have the requirements of those in text/${defaultLanguage}, in their order.`,
      ),
    );
  const wanted = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const lacking = text.forms.size > 0 ? wanted.filter(form => !text.forms.has(form)) : [];
  // Without "other" the plural itself is wrong.
  for (const form of lacking)
    if (form !== 'other') problems.push(report(`The plural "${key}" has no form "${nameOf(key)}_${form}".`, 'warning'));
  return problems;
}

/** A plural is everybody's, as a text without variants is. */
function hasSameVariants(text: WrittenText, original: WrittenText): boolean {
  const requirements = ({ variants, forms }: WrittenText): string =>
    JSON.stringify(forms.size > 0 ? [null] : variants.map(one => one.requires ?? null));
  return requirements(text) === requirements(original);
}

/** How many of the texts that a language lacks are named. */
const mostNamed = 5;

/** One warning for a language that lacks texts, at the first of its files, or where that would be. */
function missing(
  language: string,
  texts: ReadonlyMap<string, WrittenText>,
  base: ReadonlyMap<string, WrittenText>,
  files: ReadonlyMap<string, LongDocument>,
): Problem[] {
  const lacking = [...base.keys()].filter(key => !texts.has(key));
  const [first] = lacking;
  if (first === undefined) return [];
  const named = lacking.slice(0, mostNamed).map(key => `"${key}"`);
  const rest = lacking.length > named.length ? ` and ${lacking.length - named.length} more` : '';
  const whole = [...new Set(lacking.map(areaOf))].filter(area => !files.has(area));
  const without = whole.length === 0 ? '' : ` It has no file for ${whole.join(', ')}.`;
  const message = `"${language}" lacks ${lacking.length} of ${base.size} texts, which are shown in "${defaultLanguage}": ${named.join(', ')}${rest}.${without}`;
  const [source] = lacking.flatMap(key => files.get(areaOf(key)) ?? []);
  return [
    source
      ? source.problem([], message, 'warning')
      : { file: `text/${language}/${areaOf(first)}.json`, line: 1, column: 1, severity: 'warning', message },
  ];
}

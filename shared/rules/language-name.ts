/** Writes the name of a language ("de", "de-AT") in itself, with a capital letter: "Deutsch". */
export function languageName(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return `${name.slice(0, 1).toLocaleUpperCase(language)}${name.slice(1)}`;
}

import { type ErrorCode, portalErrors } from '../../errors.ts';
import { type RefusalCode, refusals } from '../../refusals.ts';
import type { Problem } from './problem.ts';
import type { Source } from './source.ts';
import { defaultLanguage, type Texts } from './texts.ts';

/** The document of the texts that no screen names: the server itself answers with them. */
export const serverTextsFile = `text/${defaultLanguage}/server.json`;

/** These texts but for those of errors and refusals, each with the names of the values that it is handed. */
const others = {
  'field.mandatory': [],
  'field.notRobot': [],
  'field.fromRecord': [],
  'password.weak': [],
  'password.same': [],
  'password.again': [],
  'password.wrong': [],
  'code.wrong': [],
  'recoveryCode.wrong': [],
  'device.unknown': [],
  'agreement.accept': ['title', 'version'],
  'agreement.manyCustomers': [],
  'approval.waits': [],
  'role.mayFails': ['tests'],
  'role.mayNotFails': ['tests'],
  'role.single': [],
  'refusal.unknown': [],
  'page.handOver': [],
  'page.noScript': [],
  'page.trying': [],
  'page.reference': ['reference'],
  'page.again': [],
  'page.support': [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A key of the document without its area, such as `error.TOO_MANY`. */
export type ServerText = `error.${ErrorCode}` | `refusal.${RefusalCode}` | keyof typeof others;

/** Gives a text as it stands now; a built-in sentence where it is missing. */
export type ReadServerText = (name: ServerText, values?: Readonly<Record<string, string>>) => string;

const expected: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Object.keys(portalErrors).map(code => [`error.${code}`, []] as const),
  ...Object.entries(refusals).map(([code, data]) => [`refusal.${code}`, Object.keys(data)] as const),
  ...Object.entries(others),
]);

const keyOf = (name: string): string => `server.${name}`;

/** The key of the text that says what a command does, as a sentence; it stands in the texts of the area `commands`. */
export const textOfCommand = (name: string): string => `commands.${name}`;

/** Keys of all these texts. */
export const serverTextKeys: readonly string[] = [...expected.keys()].map(keyOf);

/** Stand in for missing texts, by the first part of their names. */
const builtIn: Readonly<Record<string, string>> = {
  error: 'Something went wrong. Please try again.',
  page: 'Try again',
  device: 'Unknown',
  agreement: 'I accept',
};
export const builtInFieldMessage = 'Please check this.';

/** How the server speaks: the language, as pages say it, and its own texts in it. */
export type Wording = { readonly lang: string; readonly serverText: ReadServerText };

/**
 * Gives the texts of the server's own answers (errors, messages of fields) in a locale; they are the same for every
 * caller.
 */
export const createWording = (texts: Texts, locale: string): Wording => ({
  lang: texts.languageOf(locale),
  serverText: (name, values = {}) =>
    texts.fill(keyOf(name), values, locale) || (builtIn[name.split('.', 1)[0] as string] ?? builtInFieldMessage),
});

/** A folder with the texts of the browser's runtime is a portal's, and needs those of the server as well. */
const runtimeTextsFile = `text/${defaultLanguage}/runtime.json`;
const noTexts: Problem = {
  ...{ file: serverTextsFile, line: 1, column: 1, severity: 'warning' },
  message: 'The texts that the server answers with are missing.',
};

/**
 * Warns of texts for the server's own answers that are missing, and of placeholders in them that the server never
 * fills.
 */
export function checkServerTexts(texts: Texts, sources: readonly Source[]): Problem[] {
  const source = sources.find(({ file }) => file === serverTextsFile);
  if (!source) return sources.some(({ file }) => file === runtimeTextsFile) ? [noTexts] : [];
  return [...expected].flatMap(([name, handed]) => {
    const used = texts.names.get(keyOf(name));
    if (!used)
      return [source.problem([], `The text "${keyOf(name)}" is missing: the server answers with it.`, 'warning')];
    return [...used]
      .filter(value => !handed.includes(value))
      .map(value => source.problem([name], `The text "${keyOf(name)}" is handed no value "${value}".`, 'warning'));
  });
}

import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { commandDeclarations } from '../../server/commands/index.ts';
import { type Checked, readFolder } from '../../server/layouts/index.ts';
import { checkWith, isError } from './check-with.ts';
import { defaultFolder, printProblems, type SchemasCommand } from './command.ts';
import { writeDocuments } from './edit-folder.ts';
import { screensOf } from './list.ts';
import { newArea } from './new-area/new-area.ts';
import { type Answers, parametersOf, type Question, questions, type Surroundings } from './new-screen/questions.ts';
import { makeFolders, makeScreen } from './new-screen/write-screen.ts';
import { principalWithAllRights, userTypes } from './principal.ts';

const options = {
  operation: { type: 'string' },
  route: { type: 'string' },
  title: { type: 'string' },
  requires: { type: 'string' },
  menu: { type: 'boolean' },
} as const;

/** Writes a screen, or a whole area. Nothing is written when an answer makes no sense. */
export const newCommand: SchemasCommand = {
  usage: [
    [
      'new screen [folder]',
      'ask four questions and write a screen with a table, its texts and, if wanted, an entry of the main menu',
    ],
    [
      'new screen -- --operation customers.list --route /reports/customers --title "All customers" --requires reseller-side --menu',
      'the same without questions; --menu for the entry',
    ],
    [
      'new area assets -- --openapi openapi.json --from /api/assets --requires reseller-side --menu',
      'write what an area has: operations, list, detail, forms, verbs, deleting, texts and menu entry, as a cloud offers them',
    ],
  ],
  async run([what, ...args]) {
    if (what === 'area') return newArea(args);
    if (what !== 'screen') return undefined;
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [folder = defaultFolder()] = positionals;
    const { compiled, sources, problems } = await readFolder(path.resolve(folder), commandDeclarations);
    if (!compiled || !sources || problems.some(isError)) {
      printProblems(folder, problems.filter(isError));
      console.log('Nothing was written: first put these errors right.');
      return 1;
    }
    const around = { compiled, sources };
    const found = await findAnswers(values, around);
    if (typeof found === 'string') {
      console.error(found);
      return 2;
    }
    const { hasEntry, ...answers } = found;
    const { documents, notes } = await makeScreen(path.resolve(folder), answers, around, hasEntry);
    const result = await checkWith(documents, around.sources, problems);
    if (result.problems.some(isError)) {
      printProblems(folder, result.problems);
      console.log('Nothing was written.');
      return 1;
    }
    await makeFolders(folder, documents);
    await writeDocuments(folder, documents);
    printProblems(folder, result.problems);
    for (const { file } of documents) console.log(path.join(folder, file));
    console.log([...notes, describeReach(result, answers)].join('\n'));
    return 0;
  },
};

type Found = Answers & { readonly hasEntry: boolean };

/** The answers from options, and from whoever sits before the terminal where there are not all; or what is wrong. */
async function findAnswers(
  values: Partial<Answers> & { readonly menu?: boolean | undefined },
  around: Surroundings,
): Promise<Found | string> {
  const given: Partial<Answers> = {};
  const isAsked = questions.some(({ name }) => values[name] === undefined);
  const lines = isAsked ? createInterface({ input: process.stdin }) : undefined;
  const typed = lines?.[Symbol.asyncIterator]();
  const ask = async (text: string): Promise<string | undefined> => {
    process.stdout.write(`${text} `);
    const line = await typed?.next();
    return line === undefined || line.done ? undefined : line.value.trim();
  };
  try {
    for (const question of questions) {
      const { name } = question;
      const fromOption = values[name];
      const wrong = fromOption === undefined ? undefined : question.refuse(fromOption, given, around);
      if (wrong !== undefined) return `--${name}: ${wrong}`;
      const answer = fromOption ?? (await askUntilRight(question, given, around, ask));
      if (answer === undefined) return `There is no answer to "${question.text}" Give --${name}.`;
      given[name] = answer;
    }
    const answers = given as Answers;
    const canEnter = parametersOf(answers.route).length === 0;
    if (values.menu && !canEnter) return '--menu: a menu leads to an address without {parameters}.';
    const isWanted =
      values.menu ??
      (isAsked && canEnter && /^y(es)?$/i.test((await ask('An entry in the main menu? (yes, no)')) ?? ''));
    return { ...answers, hasEntry: isWanted };
  } finally {
    lines?.close();
  }
}

/** Asks until the answer makes sense; undefined where no more comes. */
async function askUntilRight(
  { text, offered, usual, refuse }: Question,
  given: Partial<Answers>,
  around: Surroundings,
  ask: (text: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const names = offered?.(around) ?? [];
  if (names.length > 0) console.log(`\n${names.join(', ')}`);
  const fallback = usual?.(given, around);
  for (;;) {
    const typed = await ask(fallback === undefined ? text : `${text} (${fallback})`);
    if (typed === undefined) return undefined;
    const answer = typed === '' && fallback !== undefined ? fallback : typed;
    const wrong = refuse(answer, given, around);
    if (wrong === undefined) return answer;
    console.log(wrong);
  }
}

/** Who of those with all rights reaches the new screen. */
function describeReach({ compiled }: Checked, { route }: Answers): string {
  if (!compiled) return '';
  const those = userTypes.filter(type =>
    screensOf(compiled, principalWithAllRights(compiled, type)).some(row => row.route === route),
  );
  return those.length > 0 ? `Reached, with all rights, by: ${those.join(', ')}` : 'Nobody reaches it.';
}

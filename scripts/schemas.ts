import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { commandDeclarations } from '../server/commands/index.ts';
import { checkFolder, formatProblem, type Problem, readFolder } from '../server/layouts/index.ts';
import { createLoader } from '../server/layouts/load/load.ts';
import type { Compiled } from '../server/layouts/pass.ts';
import { metaSchemas } from '../shared/language/meta.ts';
import { compareWithCloud } from './schemas/contract.ts';
import { editDocuments } from './schemas/edit-folder.ts';
import { explainDocument } from './schemas/explain.ts';
import { importInto } from './schemas/import-folder.ts';
import { listScreens } from './schemas/list.ts';
import { toContracts, toFacts } from './schemas/migrate/documents.ts';
import { toQueries } from './schemas/migrate/queries.ts';
import { checkMutations, drawMutations, printReport } from './schemas/mutations.ts';
import type { OpenApi } from './schemas/open-api.ts';

const usage = `Usage: npm run schemas check [folder]   find what is wrong in the schemas
       npm run schemas list             the screens of all user types, side by side
       npm run schemas list -- --as engineer
                                        the screens of one of them
       npm run schemas explain -- --as engineer --screen customers
                                        why each part of a screen, popup or menu is there or not, and what it may call
         --without addProducts,prices   for someone who holds everything but these views, permissions or features
       npm run schemas mistakes -- --count 500 --seed 1
                                        change one letter in every name that stands for something elsewhere, or in so
                                        many of them, and print the share that the check catches
       npm run schemas meta             write the JSON Schemas that editors use
       npm run schemas contract -- openapi.json [folder]
                                        what operations say of their replies that a cloud no longer offers, or otherwise
       npm run schemas import -- openapi.json [operation…]
                                        write what a cloud says of their replies into operations, of all or of these
       npm run schemas migrate -- openapi.json [folder]
                                        rewrite documents of an edition before, with what a cloud says of its replies`;

const printProblems = (folder: string, problems: readonly Problem[]): void => {
  for (const problem of problems) console.log(formatProblem({ ...problem, file: path.join(folder, problem.file) }));
};

/** Prints the problems of a folder; the exit code is 1 when there is an error. */
async function checkSchemas(folder: string): Promise<number> {
  const problems = await checkFolder(path.resolve(folder), commandDeclarations);
  printProblems(folder, problems);
  const errors = problems.filter(problem => problem.severity === 'error').length;
  console.log(
    errors === 0
      ? `${folder}: no errors, ${problems.length} warnings`
      : `${folder}: ${errors} errors, ${problems.length - errors} warnings`,
  );
  return errors === 0 ? 0 : 1;
}

async function writeMeta(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  for (const [kind, schema] of Object.entries(metaSchemas()))
    await writeFile(path.join(folder, `${kind}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
  return 0;
}

const readOpenApi = async (file: string): Promise<OpenApi> =>
  /^https?:/.test(file) ? (await fetch(file)).json() : JSON.parse(await readFile(file, 'utf8'));

/** Prints where contracts and a cloud differ; the exit code is 1 where they do. */
async function compareContracts(openApi: OpenApi, folder: string): Promise<number> {
  const found = await compareWithCloud(folder, openApi);
  for (const line of found) console.log(path.join(folder, line));
  console.log(`${folder}: ${found.length} differences`);
  return found.length === 0 ? 0 : 1;
}

/** Writes what a cloud says of the replies of operations. */
async function importReplies(openApi: OpenApi, names: readonly string[]): Promise<number> {
  const changed = await editDocuments('schemas', documents => importInto(documents, openApi, names));
  console.log(changed.length === 0 ? 'nothing to write' : changed.join('\n'));
  return 0;
}

/** Prints the share of mistakes of one letter that are caught; the exit code is 1 where one is missed. */
async function tryMistakes(count: string | undefined, seed: string): Promise<number> {
  const { sources } = await createLoader('schemas')();
  const mutations = drawMutations(sources, Number(seed), count === undefined ? undefined : Number(count));
  const report = checkMutations(sources, mutations, commandDeclarations);
  console.log(printReport(report));
  return report.missed.length === 0 ? 0 : 1;
}

/** Rewrites documents of an edition before in place. */
async function migrate(openApi: OpenApi, folder: string): Promise<number> {
  const changed = await editDocuments(folder, documents => {
    toContracts(documents, openApi);
    toFacts(documents);
    toQueries(documents);
  });
  console.log(changed.length === 0 ? 'nothing to migrate' : changed.join('\n'));
  return 0;
}

/** Prints what is said of a folder that has no errors. */
async function tell(folder: string, say: (compiled: Compiled) => string): Promise<number> {
  const { compiled, problems } = await readFolder(path.resolve(folder), commandDeclarations);
  if (!compiled) printProblems(folder, problems);
  else console.log(say(compiled));
  return compiled ? 0 : 1;
}

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      as: { type: 'string' },
      screen: { type: 'string' },
      without: { type: 'string', default: '' },
      count: { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  });
  const [verb, folder = process.env.SCHEMAS_DIR ?? 'schemas'] = positionals;
  const { as, screen } = values;
  const without = values.without.split(',').filter(name => name !== '');
  if (verb === 'check') return checkSchemas(folder);
  if (verb === 'migrate' && positionals[1] !== undefined)
    return migrate(await readOpenApi(positionals[1]), positionals[2] ?? 'schemas');
  if (verb === 'contract' && positionals[1] !== undefined)
    return compareContracts(await readOpenApi(positionals[1]), positionals[2] ?? 'schemas');
  if (verb === 'import' && positionals[1] !== undefined)
    return importReplies(await readOpenApi(positionals[1]), positionals.slice(2));
  if (verb === 'mistakes') return tryMistakes(values.count, values.seed);
  if (verb === 'meta') return writeMeta('schemas/meta');
  if (verb === 'list') return tell(folder, compiled => listScreens(compiled, as, without));
  if (verb === 'explain' && as !== undefined && screen !== undefined)
    return tell(folder, compiled => explainDocument(compiled, screen, as, without));
  throw new Error(usage);
}

process.exitCode = await run().catch((error: Error) => {
  console.error(error.message);
  return 2;
});
// Nothing that the sources' loader or a library leaves open keeps the shell waiting.
process.exit();

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { commandDeclarations } from '../server/commands/index.ts';
import { checkFolder, formatProblem, type Problem, readFolder } from '../server/layouts/index.ts';
import type { Compiled } from '../server/layouts/pass.ts';
import { metaSchemas } from '../shared/language/meta.ts';
import { explainDocument } from './schemas/explain.ts';
import { listScreens } from './schemas/list.ts';
import { migrateFolder } from './schemas/migrate.ts';
import { describeReplies, type OpenApi } from './schemas/replies.ts';

const usage = `Usage: npm run schemas check [folder]   find what is wrong in the schemas
       npm run schemas list             the screens of all user types, side by side
       npm run schemas list -- --as engineer
                                        the screens of one of them
       npm run schemas explain -- --as engineer --screen customers
                                        why each part of a screen, popup or menu is there or not, and what it may call
         --without addProducts,prices   for someone who holds everything but these views, permissions or features
       npm run schemas migrate [folder] rewrite documents of the first edition of the language, in place
       npm run schemas meta             write the JSON Schemas that editors use
       npm run schemas replies [cloud]  write what the replies of a cloud hold, as its /openapi.json says; by default
                                        the sandbox that runs in this folder`;

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

async function migrateSchemas(folder: string): Promise<number> {
  const { files, notes } = await migrateFolder(folder);
  for (const file of files) console.log(path.join(folder, file));
  for (const note of notes) console.log(note);
  console.log(`${files.length} documents rewritten`);
  return 0;
}

async function writeMeta(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  for (const [kind, schema] of Object.entries(metaSchemas()))
    await writeFile(path.join(folder, `${kind}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
  return 0;
}

/** Writes the fields of the replies that `schemas check` and the portal check documents against. */
async function writeReplies(cloud: string): Promise<number> {
  const reply = await fetch(new URL('/openapi.json', cloud));
  await writeFile('server/layouts/check/cloud-replies.json', describeReplies((await reply.json()) as OpenApi));
  return 0;
}

const runningSandbox = (): Promise<string> =>
  readFile(path.join(process.env.DATA_DIR ?? 'data', 'sandbox.url'), 'utf8');

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
    options: { as: { type: 'string' }, screen: { type: 'string' }, without: { type: 'string', default: '' } },
  });
  const [verb, folder = process.env.SCHEMAS_DIR ?? 'schemas'] = positionals;
  const { as, screen } = values;
  const without = values.without.split(',').filter(name => name !== '');
  if (verb === 'check') return checkSchemas(folder);
  if (verb === 'migrate') return migrateSchemas(folder);
  if (verb === 'replies') return writeReplies(positionals[1] ?? (await runningSandbox()));
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

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandDeclarations } from '../server/commands/index.ts';
import { checkFolder, formatProblem } from '../server/layouts/index.ts';
import { metaSchemas } from '../shared/language/meta.ts';

const usage = `Usage: npm run schemas check [folder]   find what is wrong in the schemas
       npm run schemas meta             write the JSON Schemas that editors use`;

/** Prints the problems of a folder; the exit code is 1 when there is an error. */
async function checkSchemas(folder: string): Promise<number> {
  const problems = await checkFolder(path.resolve(folder), commandDeclarations);
  for (const problem of problems) console.log(formatProblem({ ...problem, file: path.join(folder, problem.file) }));
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

const [verb, argument] = process.argv.slice(2);
if (verb === 'check') process.exitCode = await checkSchemas(argument ?? process.env.SCHEMAS_DIR ?? 'schemas');
else if (verb === 'meta') process.exitCode = await writeMeta('schemas/meta');
else {
  console.error(usage);
  process.exitCode = 2;
}
// Nothing that the sources' loader or a library leaves open keeps the shell waiting.
process.exit();

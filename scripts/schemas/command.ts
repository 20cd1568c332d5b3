import path from 'node:path';
import { commandDeclarations } from '../../server/commands/index.ts';
import { formatProblems, type Problem, readFolder } from '../../server/layouts/index.ts';
import type { Compiled } from '../../server/layouts/names/pass.ts';

/** One command of `npm run schemas`. */
export type SchemasCommand = {
  /** Each way to write it, and what it does then. */
  readonly usage: readonly (readonly [written: string, does: string])[];
  /** Gives the exit code, or undefined where the arguments make no sense. */
  run(args: readonly string[]): Promise<number | undefined>;
};

/** Gives the folder of documents that a `schemas` command reads when none is named. */
export const defaultFolder = (): string => process.env.SCHEMAS_DIR ?? 'schemas';

/** Splits an option's value at its commas into names. */
export const listOf = (text: string | undefined): string[] => (text ?? '').split(',').filter(name => name !== '');

/** Prints the problems of a folder's documents, each with file, line and column. */
export function printProblems(folder: string, problems: readonly Problem[]): void {
  const placed = problems.map(problem => ({ ...problem, file: path.join(folder, problem.file) }));
  for (const line of formatProblems(placed)) console.log(line);
}

/**
 * Reads and checks a folder of documents, prints what `say` makes of them, or the problems, and gives the exit code.
 */
export async function tell(folder: string, say: (compiled: Compiled) => string): Promise<number> {
  const { compiled, problems } = await readFolder(path.resolve(folder), commandDeclarations);
  console.log(`Documents of ${folder}`);
  if (!compiled) printProblems(folder, problems);
  else console.log(say(compiled));
  return compiled ? 0 : 1;
}

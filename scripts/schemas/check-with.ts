import { commandDeclarations } from '../../server/commands/index.ts';
import { type Checked, check, type Problem } from '../../server/layouts/index.ts';
import { parseSource } from '../../server/layouts/load/load.ts';
import type { Source } from '../../server/layouts/names/source.ts';
import { checkReach } from '../../server/layouts/trim/check-reach.ts';
import type { Document } from './edit-folder.ts';

/** True for a problem that keeps a document from being taken over. */
export const isError = ({ severity }: Problem): boolean => severity === 'error';

/** Checks the folder as it is to be, and gives the problems that it does not have now. */
export async function checkWith(
  documents: readonly Document[],
  sources: readonly Source[],
  before: readonly Problem[],
): Promise<Checked> {
  const changed = documents.map(({ file, text }) => parseSource(file, text));
  const unread = changed.flatMap(one => ('file' in one ? [] : one));
  const read = changed.flatMap(one => ('file' in one ? [one] : []));
  const all = [...sources.filter(({ file }) => read.every(one => one.file !== file)), ...read];
  const checked = await check({ sources: all, problems: unread }, commandDeclarations);
  const reach = checked.compiled ? checkReach(checked.compiled) : [];
  const known = new Set(before.map(({ file, message }) => `${file}: ${message}`));
  const isOfThese = ({ file }: Problem) => documents.some(document => document.file === file);
  const problems = [...checked.problems, ...reach].filter(
    one => !known.has(`${one.file}: ${one.message}`) && (isError(one) || isOfThese(one)),
  );
  return { ...checked, problems };
}

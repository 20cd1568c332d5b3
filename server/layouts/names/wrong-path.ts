import { suggest } from './problem.ts';
import type { WrongPath } from './scope.ts';

/** Says what is wrong with a path, what may have been meant, and in which file a field that is missing is declared. */
export function describeWrongPath(
  { wrong, found, candidates, undeclared }: WrongPath,
  operationFiles: ReadonlyMap<string, string>,
): string {
  const file = undeclared?.in === 'operation' ? operationFiles.get(undeclared.operation) : undefined;
  const where = file === undefined ? '' : ` A field is declared in "reply" of the operation, in ${file}.`;
  return `${wrong}${suggest(found, candidates)}${where}`;
}

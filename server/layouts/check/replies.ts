import type { Operation, Requirement } from '../../../shared/language/types.ts';
import { envelopeFields, type Names, type PathTarget, type Reads } from '../compile/scope.ts';
import type { Source } from '../load/load.ts';
import { type Problem, suggest } from '../load/problem.ts';
import { describedReplies, type Fields, fieldAt, pathsIn } from './cloud-replies.ts';

const isAt = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`);

/** True where nobody without prices meets it. */
const asksForPrices = (requirement: Requirement | undefined): boolean =>
  requirement !== undefined && (requirement.prices === true || requirement.any?.every(asksForPrices) === true);

/** True where callers without prices cannot have the field. */
const needsPrices = ({ requires, reply = {} }: Operation, path: string): boolean =>
  asksForPrices(requires) || Object.keys(reply).some(above => isAt(path, above) && asksForPrices(reply[above]));

/**
 * What is wrong where an amount of money would reach callers without prices though its operation does not say so in
 * `openPrices`. The document says by its format what is money, or the cloud does.
 */
export function wrongPrice(
  { operation: name, path }: Extract<PathTarget, { readonly in: 'operation' }>,
  operations: Names['operations'],
  isShownAsMoney: boolean,
): string | undefined {
  const operation = operations.get(name);
  if (!operation) return undefined;
  const isMoney =
    isShownAsMoney || describedReplies(operation, operations).some(reply => fieldAt(reply, path) === 'money');
  if (!isMoney || needsPrices(operation, path) || operation.openPrices?.some(above => isAt(path, above)))
    return undefined;
  return `"${path}" of "${name}" is money that callers without prices would get: write "${path}": { "prices": true } in the "reply" of the operation, or "${path}" in its "openPrices" where everybody may have it.`;
}

/** Finds rules on fields that no reply has: they would leave the field that was meant open to everybody. */
export function checkRestrictions(sources: readonly Source[], { operations }: Names, reads: Reads): Problem[] {
  return sources.flatMap(source =>
    Object.entries(source.json.operations as Record<string, Operation>).flatMap(([name, operation]) => {
      const { reply = {}, openPrices = [] } = operation;
      const problem = (step: readonly (string | number)[], message: string) =>
        source.problem(['operations', name, ...step], message);
      const replies = describedReplies(operation, operations);
      const wrongName = (path: string) => wrongIn(path, name, replies, reads.get(name) ?? new Set());
      return [
        ...Object.keys(reply).flatMap(path => {
          const wrong = wrongName(path);
          return wrong === undefined ? [] : [problem(['reply', path], wrong)];
        }),
        ...openPrices.flatMap((path, index) => {
          const wrong = needsPrices(operation, path)
            ? `"${path}" cannot be open: "reply" or "requires" asks for prices.`
            : wrongName(path);
          return wrong === undefined ? [] : [problem(['openPrices', index], wrong)];
        }),
      ];
    }),
  );
}

function wrongIn(
  path: string,
  name: string,
  replies: readonly Fields[],
  read: ReadonlySet<string>,
): string | undefined {
  const [head = ''] = path.split('.');
  if (envelopeFields.has(head)) return `"${head}" reaches every caller: no rule restricts it.`;
  if (replies.some(reply => fieldAt(reply, path) !== undefined)) return undefined;
  if ([...read].some(below => isAt(below, path))) return undefined;
  const known = new Set([...replies.flatMap(reply => pathsIn(reply)), ...read]);
  const depth = path.split('.').length;
  const alike = [...known].filter(other => other.split('.').length === depth);
  const why =
    replies.length > 0
      ? `The reply of "${name}" has no "${path}"`
      : `Nothing reads "${path}" of the reply of "${name}"`;
  return `${why}, so that this rule does nothing.${suggest(path, alike) || suggest(path, known)}`;
}

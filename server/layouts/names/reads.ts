import type { Contract } from './contract.ts';
import type { PathTarget } from './scope.ts';

const describe = (contract: Contract): string => {
  if (contract.type === 'list') return 'a list';
  if (contract.type === 'record' || contract.type === 'map') return 'an object';
  return `of kind "${contract.kind}"`;
};

/** How a place shows a value: the kind of the value must fit. */
export type ShownAs = 'money' | 'number' | 'html' | 'rows' | 'value';

/** Checks that what a path reads is of a kind that its node can show (no list in a heading); gives what is wrong. */
export function checkRead(target: PathTarget, shownAs: ShownAs | undefined): string[] {
  if (target.in === 'page' || !target.field) return [];
  const problems: string[] = [];
  const { contract } = target.field;
  const owner = target.in === 'operation' ? target.operation : target.command;
  const wrong = (needed: string) =>
    problems.push(`"${target.path}" of "${owner}" is ${describe(contract)}, and ${needed}.`);
  if (contract.type === 'model' && target.in === 'operation') wrong('is shown by the node "delivered" alone');
  switch (shownAs) {
    case 'rows':
      if (contract.type !== 'list') wrong('the rows of a node are a list');
      break;
    case 'money':
      if (!isKind(contract, 'money'))
        wrong('what is shown as currency is declared as "money", which callers without prices do not get');
      break;
    case 'number':
      if (isKind(contract, 'money'))
        wrong('money is written with its currency: leave out "format", or write "currency" or "change"');
      break;
    case 'value':
      if (contract.type === 'record' || contract.type === 'map' || isListOfObjects(contract))
        wrong('a value is a single one: name a field of it, or read it as row.… in a node with "rows"');
      break;
    case 'html':
      if (!isKind(contract, 'html')) wrong('HTML is declared as "html", so that it is sanitised');
      break;
  }
  return problems;
}

const isListOfObjects = (contract: Contract): boolean =>
  contract.type === 'list' && ['record', 'map', 'list'].includes(contract.item.type);

/** Whether a value, or the items of a list of them, are of a kind. */
const isKind = (contract: Contract, kind: string): boolean =>
  contract.type === 'list' ? isKind(contract.item, kind) : contract.type === 'value' && contract.kind === kind;

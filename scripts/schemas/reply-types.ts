import { readContract } from '../../server/layouts/contract/read-contract.ts';
import type { Contract } from '../../server/layouts/names/contract.ts';
import type { Source } from '../../server/layouts/names/source.ts';
import { type ValueKind, valueKinds } from '../../shared/language/reply.ts';
import type { Operation } from '../../shared/language/types.ts';

/** The generated file; commands get the types of what they ask from it. */
export const replyTypesFile = 'server/operations/operation-replies.ts';

const quoted = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

/** A caller may lack what has a requirement, and the field is absent then. */
const mayBeAbsent = ({ optional, requires }: Contract): boolean => optional || requires.length > 0;

/** Kinds that have a type of their own, at the head of the file. */
const ownTypes: { readonly [kind in ValueKind]?: string } = { money: 'Money', id: 'Id' };

function typeOf(contract: Contract): string {
  switch (contract.type) {
    case 'model':
      return 'unknown';
    case 'list':
      return `readonly (${withNull(contract.item)})[]`;
    case 'map':
      return `{ readonly [name: string]: ${withNull(contract.item)} }`;
    case 'record': {
      const fields = [...contract.fields].map(
        ([name, field]) => `readonly ${quoted(name)}${mayBeAbsent(field) ? '?' : ''}: ${withNull(field)};`,
      );
      return `{ ${fields.join(' ')} }`;
    }
    case 'value':
      return contract.codes
        ? contract.codes.map(code => (typeof code === 'number' ? String(code) : `'${code}'`)).join(' | ')
        : (ownTypes[contract.kind] ?? valueKinds[contract.kind].classes.join(' | '));
  }
}

const withNull = (contract: Contract): string => `${typeOf(contract)}${contract.optional ? ' | null' : ''}`;

/** Writes the TypeScript types of the replies that the operations declare. */
export function describeReplies(sources: readonly Source[]): string {
  const replies = sources
    .filter(({ kind }) => kind === 'operations')
    .flatMap(({ json }) => Object.entries(json.operations as Readonly<Record<string, Operation>>))
    .map(([name, { reply }]) => ({ name, contract: reply === undefined ? undefined : readContract(reply) }));
  const silent = replies.filter(({ contract }) => !contract).map(({ name }) => `'${name}'`);
  const lines = replies.flatMap(({ name, contract }) =>
    contract ? [`  readonly '${name}': ${withNull(contract)};`] : [],
  );
  return [
    '// Written by npm run schemas types from the contracts in schemas/*/*operations.json.',
    '',
    '/** An amount as the cloud sends it today. */',
    'export type Money = string;',
    '/** The wire writes an id as a number here and as text there. */',
    'export type Id = string | number;',
    '',
    '/** Operations that answer no Result. */',
    `type Silent = ${silent.join(' | ') || 'never'};`,
    '',
    '/** What each operation answers as its Result. */',
    'export type OperationReplies = { readonly [Name in Silent]: undefined } & {',
    ...lines,
    '};',
    '',
  ].join('\n');
}

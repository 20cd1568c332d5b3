import type { ModelKind, ValueKind } from '../../../shared/language/reply.ts';
import type { Requirement } from '../../../shared/language/types.ts';

type Common = {
  /** True where it may be absent or null. */
  readonly optional: boolean;
  /** All must be met to have it. */
  readonly requires: readonly Requirement[];
};
/** What a single value must keep to beyond its kind. */
export type Limits = { readonly min?: number; readonly max?: number; readonly pattern?: string };
export type ValueContract = Common & {
  readonly type: 'value';
  readonly kind: ValueKind;
  /** Id of the catalogue that has the values of a code. */
  readonly catalogue?: string;
  /** The values of a code that has no catalogue. */
  readonly codes?: readonly (string | number)[];
  readonly limits?: Limits;
};
export type ListContract = Common & { readonly type: 'list'; readonly item: Contract };
export type MapContract = Common & { readonly type: 'map'; readonly item: Contract };
export type RecordContract = Common & { readonly type: 'record'; readonly fields: ReadonlyMap<string, Contract> };
export type ModelContract = Common & { readonly type: 'model'; readonly kind: ModelKind };

/** What a reply, or a part of it, may be: nothing else passes. */
export type Contract = ValueContract | ListContract | MapContract | RecordContract | ModelContract;

/** A place in a reply: what is there, and all that a caller must hold to have it. */
export type Field = { readonly contract: Contract; readonly requires: readonly Requirement[] };

/** Through lists to what their items are. */
function itemsOf(field: Field): Field {
  let found = field.contract;
  if (found.type !== 'list') return field;
  const all = [...field.requires];
  while (found.type === 'list') {
    found = found.item;
    all.push(...found.requires);
  }
  return { contract: found, requires: all };
}

/** Makes the field that stands for a whole contract, with its requirements, from which to follow names. */
export const fieldOf = (contract: Contract): Field => ({ contract, requires: contract.requires });

/** Lists the names of the fields of a record; of a list, those of its items. */
export function namesAt(field: Field): readonly string[] {
  const { contract } = itemsOf(field);
  return contract.type === 'record' ? [...contract.fields.keys()] : [];
}

/**
 * Gives the field of this name below a field of a reply (of a list: below its items), with all that a caller needs to
 * have it; undefined where there is none.
 */
export function fieldBelow(field: Field, name: string): Field | undefined {
  const { contract, requires } = itemsOf(field);
  const found =
    contract.type === 'record' ? contract.fields.get(name) : contract.type === 'map' ? contract.item : undefined;
  return found && { contract: found, requires: [...requires, ...found.requires] };
}

/** Lists what a caller must meet to have a field of a reply; of a list, with what its items need. */
export const requirementsOf = (field: Field): readonly Requirement[] => itemsOf(field).requires;

/**
 * Follows names from a field of a contract and gives the field they lead to; when one is not found, the number of names
 * that were.
 */
export function followNames(field: Field, names: readonly string[]): Field | number {
  let found = field;
  for (const [index, name] of names.entries()) {
    const next = fieldBelow(found, name);
    if (!next) return index;
    found = next;
  }
  return found;
}

const always = { optional: false, requires: [] } as const;
const text: ValueContract = { ...always, type: 'value', kind: 'text', optional: true };

/** Gives the contract of a whole reply: the envelope (document 2, section 3) around the declared `result`. */
export function envelopeOf(result: Contract | undefined): RecordContract {
  const messages: Contract = { ...always, type: 'list', item: { ...text, optional: false }, optional: true };
  return {
    ...always,
    type: 'record',
    fields: new Map<string, Contract>([
      ['Succeed', { ...always, type: 'value', kind: 'yes-no' }],
      ['Error', text],
      ['Errors', { ...always, type: 'map', item: messages, optional: true }],
      ['Messages', messages],
      ...(result ? [['Result', result] as const] : []),
    ]),
  };
}

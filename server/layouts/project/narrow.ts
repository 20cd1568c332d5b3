import type { Requirement } from '../../../shared/language/types.ts';
import type { Contract } from '../names/contract.ts';

type Names = Map<string, Names>;

/**
 * Gives the part of a reply's contract that these paths read, through lists item by item; undefined when they read
 * nothing of it. A path to a whole object lets no field pass that another path does not name.
 */
export function narrowTo(contract: Contract, paths: Iterable<readonly string[]>): Contract | undefined {
  const root: Names = new Map();
  let isNamed = false;
  for (const path of paths) {
    isNamed = true;
    let names = root;
    for (const name of path) {
      let next = names.get(name);
      if (!next) {
        next = new Map();
        names.set(name, next);
      }
      names = next;
    }
  }
  return isNamed ? narrow(contract, root) : undefined;
}

function narrow(contract: Contract, names: Names): Contract | undefined {
  switch (contract.type) {
    case 'value':
      return contract;
    // Only commands read a model, and they read it whole.
    case 'model':
      return undefined;
    case 'list': {
      const item = narrow(contract.item, names);
      return item && { ...contract, item };
    }
    default: {
      const fields = new Map<string, Contract>();
      for (const [name, below] of names) {
        const found = contract.type === 'map' ? { ...contract.item, optional: true } : contract.fields.get(name);
        const field = found && narrow(found, below);
        if (field) fields.set(name, field);
      }
      const { optional, requires } = contract;
      return { type: 'record', optional, requires, fields };
    }
  }
}

/** Gives the part of a reply's contract whose requirements a caller meets; undefined when nothing is left. */
export function permit(
  contract: Contract,
  meets: (requirement: Requirement | undefined) => boolean,
): Contract | undefined {
  if (!contract.requires.every(meets)) return undefined;
  switch (contract.type) {
    case 'list':
    case 'map': {
      const item = permit(contract.item, meets);
      return item && { ...contract, item };
    }
    case 'record': {
      const fields = new Map<string, Contract>();
      for (const [name, field] of contract.fields) {
        const permitted = permit(field, meets);
        if (permitted) fields.set(name, permitted);
      }
      return { ...contract, fields };
    }
    default:
      return contract;
  }
}

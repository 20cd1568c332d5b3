import { valueKinds } from '../../../shared/language/reply.ts';
import { requirement } from '../../../shared/language/requirement.ts';
import type { FieldNode, Operation, Scalar } from '../../../shared/language/types.ts';
import type { Contract, Limits } from '../names/contract.ts';
import type { Declared, ValueClass } from '../names/declared.ts';
import { testPattern } from '../names/pattern.ts';
import { suggest } from '../names/problem.ts';
import type { Names } from '../names/scope.ts';

/** The names by which values are declared. */
export type ValueNames = Pick<Names, 'catalogues' | 'operationFiles'>;

const classNames: Readonly<Record<ValueClass, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
};
const mostListed = 12;

function list(values: readonly Scalar[]): string {
  const shown = values.slice(0, mostListed).map(value => JSON.stringify(value));
  const more = values.length > mostListed ? [`${values.length - mostListed} more`] : [];
  return [...shown, ...more].join(', ');
}

/**
 * Says what is wrong with a constant where these values are declared; undefined when it is one of them. Null means
 * absent, which is always allowed.
 */
export function wrongConstant(value: Scalar, { of, by, classes, values, limits }: Declared): string | undefined {
  const wrong = (what: string) =>
    `${of} cannot be ${JSON.stringify(value)}; ${what}${by ? `, as ${by} declares` : ''}.`;
  if (value === null) return undefined;
  if (values && !values.includes(value))
    return `${wrong(`it can be ${list(values)}`)}${suggest(String(value), values.map(String))}`;
  if (classes && !classes.includes(typeof value as ValueClass))
    return wrong(
      classes.length === 0 ? 'it is no single value' : `it is ${classes.map(name => classNames[name]).join(' or ')}`,
    );
  const { min, max, pattern } = limits ?? {};
  if (typeof value === 'number') {
    if (min !== undefined && value < min) return wrong(`it is at least ${min}`);
    if (max !== undefined && value > max) return wrong(`it is at most ${max}`);
  }
  if (typeof value === 'string') {
    if (max !== undefined && [...value].length > max) return wrong(`it has at most ${max} characters`);
    if (pattern !== undefined && !testPattern(pattern, value)) return wrong(`it matches ${pattern}`);
  }
  return undefined;
}

/**
 * Merges the declared values of several sources into one declaration, for something that gets its value from any of
 * them.
 */
export function together(of: string, all: readonly Declared[]): Declared {
  const values = all.every(one => one.values) ? [...new Set(all.flatMap(one => one.values ?? []))] : undefined;
  const classes = all.every(one => one.classes) ? [...new Set(all.flatMap(one => one.classes ?? []))] : undefined;
  return { of, ...(values && { values }), ...(classes && { classes }) };
}

/** The values of a catalogue, for what has one. One that does not exist is reported where it is named. */
function ofCatalogue(of: string, id: string, { catalogues }: ValueNames): Declared {
  const catalogue = catalogues.get(id);
  return {
    of,
    kind: 'code',
    ...(catalogue && { by: `the catalogue "${id}" in ${catalogue.file}`, values: catalogue.values }),
  };
}

/**
 * Gives the values that a reply's contract declares for a field.
 * @param of as in `Declared`
 * @param file that has the contract; absent for a command, whose contract is in no document
 */
export function ofContract(contract: Contract, of: string, file: string | undefined, names: ValueNames): Declared {
  const by = file === undefined ? {} : { by: `"reply" in ${file}` };
  if (contract.type === 'model') return { of };
  if (contract.type !== 'value') {
    const item = contract.type === 'list' && contract.item.type === 'value' ? contract.item : undefined;
    return { of, ...by, classes: [], ...(item && { kind: item.kind, isList: true }) };
  }
  const { kind, catalogue, codes, limits } = contract;
  if (catalogue !== undefined) return ofCatalogue(of, catalogue, names);
  return {
    of,
    ...by,
    kind,
    classes: valueKinds[kind].classes,
    ...(codes && { values: codes }),
    ...(limits && { limits }),
  };
}

type Rule = NonNullable<Operation['with']>[string];
/** Whatever is given for a text is sent as one. */
const classesOfType = { string: undefined, integer: ['number'], number: ['number'], boolean: ['boolean'] } as const;

/** Gives what an operation declares for the values of a parameter: types, allowed values, limits. */
export function ofParameter(name: string, rule: Rule, operation: string, { operationFiles }: ValueNames): Declared {
  const { type, enum: values, minimum: min, maximum, maxLength, pattern } = rule;
  const max = type === 'string' ? maxLength : maximum;
  const classes = classesOfType[type];
  const limits: Limits = {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(pattern !== undefined && { pattern }),
  };
  const of = `The parameter "${name}" of "${operation}"`;
  const file = operationFiles.get(operation);
  return {
    of,
    ...(file && { by: `"with" in ${file}` }),
    ...(classes && { classes }),
    ...(values && { values }),
    limits,
  };
}

/** Gives the values that a form field can hold. */
export function ofField(field: FieldNode, names: ValueNames): Declared {
  const { propertyName, kind, options, min, max } = field;
  const of = `The field "${propertyName}"`;
  // A document names the catalogue whose entries a layout has.
  if (typeof field.catalogue === 'string') return ofCatalogue(of, field.catalogue, names);
  if (options) return { of, kind: 'code', values: options.map(({ value }) => value) };
  switch (kind) {
    case 'checkbox':
    case 'switch':
      return { of, kind: 'yes-no', classes: ['boolean'] };
    case 'number': {
      const limits = { ...(typeof min === 'number' && { min }), ...(typeof max === 'number' && { max }) };
      return { of, kind: 'number', classes: ['number'], limits };
    }
    case 'date':
      return { of, kind: 'day', classes: ['string'] };
    case 'date-time':
      return { of, kind: 'time', classes: ['string'] };
    case 'hidden':
    case 'display':
      return { of };
    default:
      return { of, kind: 'text', classes: ['string'] };
  }
}

const { userTypes, currencies } = requirement.properties;

/** Gives the values that a fact of the caller (`principal.…`) can have. */
export function ofFact(name: string): Declared {
  const of = `The fact "${name}" of the caller`;
  if (name === 'type') return { of, values: userTypes.items.enum };
  if (name === 'brand') return { of, values: ['custom', 'tried'] };
  if (name === 'currency') return { of, values: currencies.items.enum };
  return { of, kind: name.endsWith('Id') ? 'id' : 'text', classes: ['string'] };
}

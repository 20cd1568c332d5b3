import type { FieldNode, Scalar } from '../../../shared/language/types.ts';
import { type CompileContext, into, report } from '../names/compile-context.ts';
import type { Contract } from '../names/contract.ts';
import type { Declared } from '../names/declared.ts';
import { below, resolvePath } from '../names/scope.ts';
import { ofContract, ofFact, ofField, type ValueNames, wrongConstant } from './declared-values.ts';
import { isPlace, noteBound, noteRead, noteSet, noteTest } from './place-values.ts';

/** Where a path stands, as far as it says what the path reads. */
export type DeclaredPlace = Pick<CompileContext, 'scope'> & { readonly names: ValueNames };

const isScalar = (value: unknown): value is Scalar => value === null || typeof value !== 'object';

/** Reports a constant that is none of the values that are declared. */
function checkConstant(value: Scalar, declared: Declared, place: CompileContext): void {
  const wrong = wrongConstant(value, declared);
  if (wrong !== undefined) report(place, wrong);
}

/**
 * Reports a binding whose constant is none of the declared values; a binding that reads a path cannot be checked so.
 */
export function checkBinding(binding: unknown, declared: Declared, place: CompileContext): void {
  if (binding === undefined) return;
  if (typeof binding === 'string') noteBound(binding, declared, place);
  else if (isScalar(binding)) checkConstant(binding, declared, place);
  else if (Object.hasOwn(binding as object, 'value'))
    checkConstant((binding as { readonly value: Scalar }).value, declared, into(place, 'value'));
}

/** Checks the constants that a condition compares a path with; reports a comparison that can never be met. */
export function checkTestedConstants(condition: Record<string, unknown>, place: CompileContext): void {
  const { path, is, in: list, atLeast } = condition;
  if (typeof path !== 'string') return;
  const tests: [Scalar, CompileContext][] = [];
  if (isScalar(is) && is !== undefined) tests.push([is, into(place, 'is')]);
  if (Array.isArray(list)) list.forEach((value: Scalar, index) => void tests.push([value, into(place, 'in', index)]));
  if (isPlace(path)) {
    if ('wrong' in resolvePath(path, place.scope)) return;
    if (tests.length === 0) noteRead(path, place);
    for (const [value, at] of tests) noteTest(path, value, at);
    return;
  }
  const declared = declaredAt(path, place);
  if (!declared) return;
  for (const [value, at] of tests) checkConstant(value, declared, at);
  if (
    typeof atLeast === 'number' &&
    declared.classes?.includes('number') !== true &&
    (declared.classes ?? declared.values)
  )
    checkConstant(atLeast, declared, into(place, 'atLeast'));
}

/** Records for `checkConstantsOfPlaces` what a `set` effect writes into the address or the screen's state. */
export function noteSetEffect({ path, value }: Record<string, unknown>, place: CompileContext): void {
  const inner = into(place, 'value');
  if (typeof value === 'string') noteSet(String(path), declaredAt(value, place) ?? { of: '' }, inner);
  else if (isScalar(value)) noteSet(String(path), value, inner);
  else if (Object.hasOwn(value as object, 'value'))
    noteSet(String(path), (value as { readonly value: Scalar }).value, into(inner, 'value'));
  else noteSet(String(path), { of: '' }, inner);
}

/** Gives which values are declared for what a path reads; undefined where nothing is declared. */
export function declaredAt(path: string, place: DeclaredPlace): Declared | undefined {
  const { scope, names } = place;
  const target = resolvePath(path, scope);
  if ('wrong' in target) return undefined;
  if (target.in !== 'page') {
    if (!target.field) return undefined;
    // An item has the path of its list.
    const contract = path === 'row' ? itemOf(target.field.contract) : target.field.contract;
    const owner = target.in === 'operation' ? target.operation : `the command "${target.command}"`;
    const file = target.in === 'operation' ? names.operationFiles.get(target.operation) : undefined;
    return ofContract(contract, `"${path}", of ${target.in === 'operation' ? `"${owner}"` : owner},`, file, names);
  }
  const [head, name = ''] = path.split('.');
  if (head === 'principal') return ofFact(name);
  if (head === 'form') return ofFormValue(name, place);
  const [, , answer = ''] = path.split('.');
  const field = head === 'answers' ? scope.journey?.steps.get(name)?.answers.get(answer)?.field : undefined;
  if (field) return ofField(field, names);
  return undefined;
}

const itemOf = (contract: Contract): Contract => (contract.type === 'list' ? contract.item : contract);

function ofFormValue(name: string, { scope: { form }, names }: DeclaredPlace): Declared | undefined {
  const of = `"form.${name}"`;
  if (name === '$changed') return { of, kind: 'yes-no', classes: ['boolean'] };
  if (name === '$failures') return { of, kind: 'count', classes: ['number'] };
  const field = form?.fields.get(name);
  if (!field) return undefined;
  const declared = ofField(field, names);
  const isGiven = field.kind === 'hidden' || field.kind === 'display';
  const initial = isGiven && form?.initial ? below(form.initial, [name]) : undefined;
  if (!initial || 'wrong' in initial || initial.in !== 'operation' || !initial.field) return declared;
  return ofContract(initial.field.contract, declared.of, names.operationFiles.get(initial.operation), names);
}

/** Checks that a form field's constants (first value, required value) are values that it can hold. */
export function checkFieldConstants(value: Record<string, unknown>, place: CompileContext): void {
  const declared = ofField(value as unknown as FieldNode, place.names);
  checkBinding(value.initial, declared, into(place, 'initial'));
  if (value.requiredValue !== undefined)
    checkConstant(value.requiredValue as Scalar, declared, into(place, 'requiredValue'));
}

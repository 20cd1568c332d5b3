import { type CompileContext, into, report } from '../names/compile-context.ts';
import { namesAt } from '../names/contract.ts';
import { listOf } from '../names/problem.ts';

/**
 * Reports a form whose first values come from an object that has none of its fields, and a field that would get none
 * since its name is written otherwise there.
 */
export function checkInitial(value: Readonly<Record<string, unknown>>, place: CompileContext): void {
  const { form } = place.scope;
  const { initial } = form ?? {};
  if (typeof value.initial !== 'string' || !form || !initial || initial.in === 'page' || !initial.field) return;
  const known = namesAt(initial.field);
  const names = [...form.names];
  if (known.length === 0 || names.length === 0) return;
  const at = into(place, 'initial');
  const owner = initial.in === 'operation' ? initial.operation : initial.command;
  for (const name of names) {
    const other = known.find(one => one.toLowerCase() === name.toLowerCase());
    if (other !== undefined && other !== name)
      report(at, `The field "${name}" gets no first value: the reply of "${owner}" has "${other}", not "${name}".`);
  }
  if (!names.some(name => known.some(one => one.toLowerCase() === name.toLowerCase())))
    report(at, `"${value.initial}" has none of the fields of this form: ${listOf(names.slice(0, 5))}.`);
}

import { valueKinds } from '../../../shared/language/reply.ts';
import type { Contract } from '../names/contract.ts';

/** Lists the fields that two contracts of a reply declare differently, so that not both can be right. */
export function contradictionsOf(one: Contract, other: Contract, path: string): string[] {
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (one.type === 'record' && other.type === 'record')
    return [...one.fields].flatMap(([name, field]) => {
      const same = other.fields.get(name);
      return same ? contradictionsOf(field, same, below(name)) : [];
    });
  if ((one.type === 'list' && other.type === 'list') || (one.type === 'map' && other.type === 'map'))
    return contradictionsOf(one.item, other.item, path);
  if (one.type !== 'value' || other.type !== 'value') return one.type === other.type ? [] : [`"${path}"`];
  const classes: readonly string[] = valueKinds[other.kind].classes;
  const isSame = (one.kind === 'money') === (other.kind === 'money');
  return isSame && valueKinds[one.kind].classes.some(name => classes.includes(name)) ? [] : [`"${path}"`];
}

import { documentName } from '../layouts/expand/names.ts';
import { isObject, type Json } from '../layouts/names/json.ts';
import type { Pointer, Source } from '../layouts/names/source.ts';
import { placeOfTexts } from '../layouts/names/texts.ts';
import { valueAt } from './written-place.ts';

/** A place where a name is declared, in the document as it is written; [] is the file itself. */
export type Declaration = { readonly file: string; readonly at: Pointer };

/** A named thing: its kind, as references tell it (`text`, `operation`, `field`, `popup`), and its whole name. */
export type Named = { readonly what: string; readonly name: string };

/** The endings of a text's forms by number. */
export const plural = /_(?:zero|one|two|few|many|other)$/;

/** Documents that are named by their id. */
const byId: ReadonlySet<string> = new Set(['part', 'popup', 'form', 'journey', 'catalogue']);
/** Lists of access.json. */
const lists: Readonly<Record<string, string>> = { view: 'views', permission: 'permissions', feature: 'features' };

/** Finds where a name is declared: a text in each language and number, a field in the reply of its operation. */
export function declarationsOf({ what, name }: Named, sources: readonly Source[]): Declaration[] {
  return sources.flatMap(source => {
    const { file, kind, json } = source;
    if (kind === 'texts') return what === 'text' ? textsIn(source, name) : [];
    if (kind === 'access') return inAccess(source, { what, name });
    if (what === kind && byId.has(kind))
      return (json.id ?? documentName(source)) === name ? [{ file, at: json.id === undefined ? [] : ['id'] }] : [];
    if (kind !== 'operations' || !isObject(json.operations)) return [];
    if (what === 'operation') return Object.hasOwn(json.operations, name) ? [{ file, at: ['operations', name] }] : [];
    if (what !== 'field') return [];
    const operation = Object.keys(json.operations).find(one => name.startsWith(`${one}.`));
    if (operation === undefined) return [];
    const { reply } = (valueAt(json, ['operations', operation]) ?? {}) as Json;
    const at = placeInReply(reply, name.slice(operation.length + 1).split('.'));
    return at === undefined ? [] : [{ file, at: ['operations', operation, 'reply', ...at] }];
  });
}

function textsIn({ file, json }: Source, name: string): Declaration[] {
  const area = placeOfTexts(file)?.area;
  const names = Object.keys(json).filter(own => `${area}.${own.replace(plural, '')}` === name);
  return names.map(own => ({ file, at: [own] }));
}

function inAccess({ file, json }: Source, { what, name }: Named): Declaration[] {
  if (what === 'requirement')
    return isObject(json.requirements) && Object.hasOwn(json.requirements, name)
      ? [{ file, at: ['requirements', name] }]
      : [];
  const list = lists[what] === undefined ? undefined : json[lists[what]];
  const index = Array.isArray(list) ? list.indexOf(name) : -1;
  return index < 0 ? [] : [{ file, at: [lists[what] as string, index] }];
}

/** Steps to a field in a declared reply, through lists and groups. */
function placeInReply(reply: unknown, names: readonly string[]): Pointer | undefined {
  const [name, ...rest] = names;
  if (name === undefined) return [];
  if (Array.isArray(reply)) return under(0, placeInReply(reply[0], names));
  if (!isObject(reply)) return undefined;
  if (Object.hasOwn(reply, 'of') && !Object.hasOwn(reply, 'kind')) return under('of', placeInReply(reply.of, names));
  return Object.hasOwn(reply, name) ? under(name, placeInReply(reply[name], rest)) : undefined;
}

const under = (step: string | number, steps: Pointer | undefined): Pointer | undefined => steps && [step, ...steps];

/** Gives what the word at a place of a document declares; undefined where it declares nothing. */
export function declaredAt({ file, kind, json }: Source, at: Pointer, isName: boolean): Named | undefined {
  const [first, second, third, ...rest] = at;
  const last = String(at.at(-1));
  if (kind === 'texts' && isName && at.length === 1 && first !== '$schema')
    return { what: 'text', name: `${placeOfTexts(file)?.area}.${last.replace(plural, '')}` };
  if (byId.has(kind) && first === 'id' && !isName) return { what: kind, name: String(json.id) };
  if (kind === 'access' && first === 'requirements' && isName && at.length === 2)
    return { what: 'requirement', name: last };
  const list = Object.keys(lists).find(what => lists[what] === first);
  if (kind === 'access' && list !== undefined && at.length === 2)
    return { what: list, name: String(valueAt(json, at)) };
  if (kind !== 'operations' || first !== 'operations' || !isName) return undefined;
  if (at.length === 2) return { what: 'operation', name: last };
  if (third !== 'reply') return undefined;
  const names = rest.filter(step => typeof step === 'string');
  const named = [names, names.filter(name => name !== 'of')].map(steps => [second, ...steps].join('.'));
  const steps = JSON.stringify(rest);
  const { reply } = (valueAt(json, ['operations', String(second)]) ?? {}) as Json;
  const found = named.find(
    name => JSON.stringify(placeInReply(reply, name.slice(String(second).length + 1).split('.'))) === steps,
  );
  return found === undefined ? undefined : { what: 'field', name: found };
}

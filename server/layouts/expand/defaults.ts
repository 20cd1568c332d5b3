import type { ShortDefault } from '../../../shared/language/short.ts';
import type { ExpandPlace } from './expand-place.ts';
import { knownFacts } from './known-facts.ts';
import { inCamelCase, lastName, withHyphens } from './names.ts';

/** A value that is not written, and why it is that; undefined where there is none. */
export type DefaultValue = { readonly value: unknown; readonly why: string };

type Json = Readonly<Record<string, unknown>>;

const given = (value: unknown, why: string): DefaultValue | undefined =>
  value === undefined ? undefined : { value, why };

/** What stands where an object in short form says nothing of a property. */
export function defaultOf(
  property: string,
  rule: ShortDefault,
  long: Json,
  place: ExpandPlace,
): DefaultValue | undefined {
  if ('is' in rule) return given(rule.is, 'the default');
  if ('name' in rule) return given(nameBy(rule, long), 'named by what stands beside it');
  if ('heading' in rule) return given(place.heading, 'the title of what is around');
  if ('known' in rule && rule.unless !== undefined && long[rule.unless] !== undefined) return undefined;
  if ('known' in rule) return given(knownFacts[rule.known](long[rule.of ?? ''], place), 'known from the operation');
  if ('beside' in rule) return textBeside(rule, long);
  return textNamed(property, String(long[rule.text] ?? ''), place);
}

function nameBy({ name, style }: Extract<ShortDefault, { readonly name: string }>, long: Json): string | undefined {
  let isKnown = true;
  const made = name.replace(/\{(\w+)\}/g, (_, property: string) => {
    const value = long[property];
    if (typeof value !== 'string') isKnown = false;
    return lastName(String(value));
  });
  return isKnown ? (style === 'camel' ? inCamelCase(made) : withHyphens(made)) : undefined;
}

function textBeside(rule: Extract<ShortDefault, { readonly beside: string }>, long: Json): DefaultValue | undefined {
  const text = long[rule.beside];
  return typeof text === 'string'
    ? given(`${text.replace(/Title$/, '')}${rule.adds}`, `the text beside "${text}"`)
    : undefined;
}

/** A text that there is not is no guess: both keys under which it may stand are told. */
function textNamed(property: string, named: string, place: ExpandPlace): DefaultValue | undefined {
  if (named === '') return undefined;
  const name = inCamelCase(lastName(named));
  const [own, ofArea] = [`${place.area}.${place.document}.${name}`, `${place.area}.${name}`];
  const found = [own, ofArea].find(key => place.facts.texts.has(key));
  if (found === undefined)
    place.problem(place.at, `There is no text "${own}" and no text "${ofArea}": write one, or give "${property}".`);
  return given(found ?? ofArea, `the text named "${name}"`);
}

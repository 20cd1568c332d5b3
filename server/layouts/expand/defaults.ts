import type { ShortDefault } from '../../../shared/language/short.ts';
import type { Json } from '../names/json.ts';
import { writtenName } from '../names/written-name.ts';
import type { ExpandPlace } from './expand-place.ts';
import { knownFacts } from './known-facts.ts';
import { inCamelCase, lastName, withHyphens } from './names.ts';

/** A value that is not written, and why it is that; undefined where there is none. */
export type DefaultValue = {
  readonly value: unknown;
  readonly why: string;
  /** Of the key of a text that there is not: what to do. */
  readonly missing?: string;
};

const given = (value: unknown, why: string): DefaultValue | undefined =>
  value === undefined ? undefined : { value, why };

/**
 * Gives the default for a property that an object in short form leaves out, by its rule; undefined when there is none.
 */
export function defaultOf(
  property: string,
  rule: ShortDefault,
  long: Json,
  place: ExpandPlace,
): DefaultValue | undefined {
  if ('within' in rule && rule.within !== undefined && rule.within !== place.kind) return undefined;
  if ('exceptOf' in rule && Object.entries(rule.exceptOf ?? {}).some(([name, value]) => long[name] === value))
    return undefined;
  if ('is' in rule) return given(rule.is, 'the default');
  if ('name' in rule) return given(nameBy(rule, long), 'named by what stands beside it');
  if ('heading' in rule) return given(place.heading, 'the title of what is around');
  if ('known' in rule && rule.unless !== undefined && long[rule.unless] !== undefined) return undefined;
  if ('known' in rule) return given(knownFacts[rule.known](long[rule.of ?? ''], place), 'known from the operation');
  if ('beside' in rule) return textBeside(rule, long, place);
  if ('ownText' in rule) return ownText(property, rule, place);
  if ('namedText' in rule)
    return given(textsNamed(rule.namedText, place).found ?? rule.elseText, `the text named "${rule.namedText}"`);
  if ('same' in rule) return given(long[rule.same], `as "${rule.same}"`);
  if ('words' in rule) return byWord(rule, long);
  if ('by' in rule)
    return given(rule.values[writtenName(long[rule.by])], `the default of ${writtenName(long[rule.by])}`);
  if ('ofFirst' in rule) return place.isFirst ? given(rule.ofFirst, 'the first of its list') : undefined;
  return textNamed(property, writtenName(long[rule.text] ?? ''), place);
}

function nameBy({ name, style }: Extract<ShortDefault, { readonly name: string }>, long: Json): string | undefined {
  let isKnown = true;
  const made = name.replace(/\{(\w+)\}/g, (_, property: string) => {
    const value = long[property];
    if (typeof value !== 'string') isKnown = false;
    return lastName(writtenName(value));
  });
  return isKnown ? (style === 'camel' ? inCamelCase(made) : withHyphens(made)) : undefined;
}

function textBeside(
  { beside, adds, ifThere }: Extract<ShortDefault, { readonly beside: string }>,
  long: Json,
  { facts }: ExpandPlace,
): DefaultValue | undefined {
  const text = long[beside];
  if (typeof text !== 'string') return undefined;
  const found = `${text.replace(/Title$/, '')}${adds}`;
  return ifThere && !facts.texts.has(found) ? undefined : given(found, `the text beside "${text}"`);
}

/** Gives the default that follows from a word in another property's value; undefined where that is no text. */
export function byWord(rule: Extract<ShortDefault, { readonly words: object }>, long: Json): DefaultValue | undefined {
  const value = long[rule.of];
  if (typeof value !== 'string') return undefined;
  const all = withHyphens(lastName(value)).split('-');
  const word = (rule.at === 'start' ? all.slice(0, 1) : all).find(one => Object.hasOwn(rule.words, one));
  return word === undefined
    ? given(rule.otherwise, 'the default')
    : given(rule.words[word], `"${word}" in the name of "${rule.of}"`);
}

/** The keys of a text by its name, its own one first, and the first of them that there is. */
function textsNamed(name: string, { area, document, facts }: ExpandPlace) {
  const keys = [`${area}.${document}.${name}`, `${area}.${name}`] as const;
  return { keys, found: keys.find(key => facts.texts.has(key)) };
}

/** A text of the document alone, or of the one after which its area may be called. */
function ownText(
  property: string,
  { ownText: name, orOfArea }: Extract<ShortDefault, { readonly ownText: string }>,
  place: ExpandPlace,
): DefaultValue {
  const { keys, found } = textsNamed(name, place);
  const [value, ofArea] = keys;
  const why = 'the text of this document';
  if (found === value) return { value, why };
  if (!orOfArea) return { value, why, missing: `There is no text "${value}": write it, or give "${property}".` };
  if (found !== undefined) return { value: found, why: 'the text of its area' };
  return {
    value,
    why,
    missing: `There is no text "${value}" and no text "${ofArea}": write one, or give "${property}".`,
  };
}

/** The text of a name; where there is none, the key of the area stands for it. */
function textNamed(property: string, named: string, place: ExpandPlace): DefaultValue | undefined {
  if (named === '') return undefined;
  const name = inCamelCase(lastName(named));
  const {
    keys: [own, ofArea],
    found,
  } = textsNamed(name, place);
  const why = `the text named "${name}"`;
  if (found !== undefined) return { value: found, why };
  const missing = `There is no text "${own}" and no text "${ofArea}": write one, or give "${property}".`;
  return { value: ofArea, why, missing };
}

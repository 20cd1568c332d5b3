import { keyNames, oneOf, titleNames } from '../../shared/language/field-names.ts';
import type { KnownFact, ShortDefault } from '../../shared/language/short.ts';

const facts: Readonly<Record<KnownFact, string>> = {
  catalogue: 'the catalogue of the code',
  count:
    'where the choice is shown as tabs or segments, the field of Counts that is called as the value, or All for what has none, of the first data source bound to the place that has it',
  exact: 'TotalIsExact of the operation',
  filters: 'the places that the data source binds, but for pages, orders and parts of its address',
  format: 'the format of the kind in the contract',
  key: `the first field of an item, where it is of kind id, else the first that it has of ${oneOf(keyNames)}`,
  order: 'where the data source has "sort" from',
  page: 'where the data source has "page" from',
  pages: 'the pages of the data sources that read the place',
  refreshOn: 'what the operation says',
  size: 'where the data source has "pageSize" from',
  sort: 'the name of the field, where the operation sorts by it and the data source binds "sort"',
  source: 'the name of the data source',
  titlePath: `the first field that an item has of ${oneOf(titleNames)}`,
  total: 'Total of the operation',
};

const listOf = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

const describeWords = (rule: Extract<ShortDefault, { readonly words: object }>): string =>
  `by ${rule.at ? 'the first' : 'a'} word in the name of \`${rule.of}\`: ${listOf(rule.words)}${rule.otherwise ? `, else ${rule.otherwise}` : ''}`;

const exceptFor = ({ exceptOf = {} }: Extract<ShortDefault, { readonly exceptOf?: object }>): string =>
  Object.entries(exceptOf)
    .map(([name, value]) => `, but none where \`${name}\` is ${value}`)
    .join('');

/** Says in words what stands where a document in short form leaves a property out. */
export function describeDefault(rule: ShortDefault): string {
  const within = 'within' in rule && rule.within ? `in a ${rule.within} ` : '';
  if ('is' in rule) return `${within}${JSON.stringify(rule.is)}`;
  if ('name' in rule) return `\`${rule.name}\`${exceptFor(rule)}`;
  if ('text' in rule) return `the text named as \`${rule.text}\`${exceptFor(rule)}`;
  if ('beside' in rule)
    return `the text of \`${rule.beside}\` with "${rule.adds}" in place of "Title"${rule.ifThere ? ', where there is one' : ''}`;
  if ('ownText' in rule)
    return `the text \`<area>.<document>.${rule.ownText}\`${rule.orOfArea ? `, else \`<area>.${rule.ownText}\`` : ''}`;
  if ('namedText' in rule)
    return `${within}the text named "${rule.namedText}", ${rule.elseText ? `else \`${rule.elseText}\`` : 'where there is one'}`;
  if ('same' in rule) return `that of \`${rule.same}\``;
  if ('words' in rule) return describeWords(rule);
  if ('by' in rule) return `by \`${rule.by}\`: ${listOf(rule.values)}`;
  if ('ofFirst' in rule) return `of the first ${JSON.stringify(rule.ofFirst)}`;
  if ('heading' in rule) return 'the title around';
  return facts[rule.known];
}

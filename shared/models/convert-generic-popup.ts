import type { Condition, FieldNode, Node, Scalar } from '../language/types.ts';
import type { PatternTest } from '../rules/validation.ts';
import type { WireDependency, WireItem, WirePopupSchema } from './generic-popup.ts';

/** Names of the item types of document 2, section 3. */
export const itemType = {
  subHeader: 1,
  textDisplay: 2,
  textInput: 3,
  number: 4,
  email: 5,
  checkbox: 6,
  htmlDisplay: 7,
} as const;
const dependencyType = { hide: 1, disable: 2 } as const;

const kinds: Readonly<Record<number, FieldNode['kind']>> = {
  [itemType.textDisplay]: 'display',
  [itemType.textInput]: 'text',
  [itemType.number]: 'number',
  [itemType.email]: 'email',
  [itemType.checkbox]: 'checkbox',
};

/** A value as its item holds it: the wire writes numbers and ticks as text now and then. */
function valueFor(item: WireItem, value: Scalar): Scalar {
  if (value === null || value === '') return null;
  if (item.Type === itemType.checkbox) return value === true || String(value).toLowerCase() === 'true';
  if (item.Type === itemType.number) return Number.isFinite(Number(value)) ? Number(value) : value;
  return String(value);
}

/** Met while the controlling item equals the dependency's value (document 2, section 5). */
function whileEqual(
  { PropertyDataItem, PropertyDataItemDependencyValue }: WireDependency,
  controlling: WireItem,
): Condition {
  const path = `form.${PropertyDataItem}`;
  const value = valueFor(controlling, PropertyDataItemDependencyValue);
  if (value === null) return { path, empty: true };
  return value === false ? { not: { path, is: true } } : { path, is: value };
}

type Dependent = { readonly when?: Condition; readonly disabledWhen?: Condition };

function dependentOn(item: WireItem, schema: WirePopupSchema, byName: ReadonlyMap<string, WireItem>): Dependent {
  const met = (type: number): Condition[] =>
    (schema.PropertyDependencies ?? []).flatMap(dependency => {
      const controlling = byName.get(dependency.PropertyDataItem);
      const applies =
        dependency.Type === type && dependency.DependentPropertyDataItem === item.DataItem && controlling !== item;
      return applies && controlling ? [whileEqual(dependency, controlling)] : [];
    });
  const hidden = met(dependencyType.hide);
  const disabled = met(dependencyType.disable);
  return {
    ...(hidden.length > 0 && { when: { not: { any: hidden } } }),
    ...(disabled.length > 0 && { disabledWhen: { any: disabled } }),
  };
}

function convertField(item: WireItem, dependent: Dependent, test: PatternTest): FieldNode {
  const { DataItem, Label, Regex, RegexError, Type } = item;
  const kind = kinds[Type] ?? 'text';
  const required =
    item.RequiredValue === undefined || item.RequiredValue === null ? null : valueFor(item, item.RequiredValue);
  const checked = Regex && kind !== 'display' && kind !== 'checkbox';
  return {
    type: 'field',
    propertyName: DataItem,
    kind,
    label: Label || DataItem,
    ...(checked && { regex: Regex }),
    // A pattern of the popup tests an empty value too.
    ...(checked && !test(Regex, '') && { mandatory: true, ...(RegexError && { mandatoryMessage: RegexError }) }),
    ...(RegexError && { invalidMessage: RegexError }),
    ...(required !== null && kind !== 'display' && { requiredValue: required }),
    ...dependent,
  };
}

/**
 * Converts the items of a cloud's generic popup to nodes (document 2, sections 3 and 5): hide dependencies become
 * `when`, disable dependencies `disabledWhen`. Texts are literal; HTML is read from `form.<DataItem>`, sanitised by the
 * server. `test` tells whether a pattern takes an empty value.
 */
export function convertGenericPopup(schema: WirePopupSchema, test: PatternTest): Node[] {
  const byName = new Map(
    schema.Items.filter(item => item.Type !== itemType.subHeader).map(item => [item.DataItem, item]),
  );
  return schema.Items.map((item): Node => {
    const dependent = dependentOn(item, schema, byName);
    const shown = dependent.when && { when: dependent.when };
    if (item.Type === itemType.subHeader) return { type: 'heading', level: 3, text: item.Label ?? '', ...shown };
    if (item.Type === itemType.htmlDisplay) return { type: 'html', path: `form.${item.DataItem}`, ...shown };
    return convertField(item, dependent, test);
  });
}

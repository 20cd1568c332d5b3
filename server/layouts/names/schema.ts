import { navigationEntry } from '../../../shared/language/documents.ts';
import { effectSchemas } from '../../../shared/language/effects.ts';
import type { NodeRules } from '../../../shared/language/node-kind.ts';
import { nodeSchemas, rulesOf } from '../../../shared/language/nodes.ts';
import { listsWithParts, partUse, placeholder } from '../../../shared/language/part.ts';
import * as primitives from '../../../shared/language/primitives.ts';
import { conditionShape, requirement, requirementName } from '../../../shared/language/requirement.ts';
import type { Short } from '../../../shared/language/short.ts';
import { writtenName } from './written-name.ts';

/** The part of JSON Schema that the language is written in. */
export type Schema = {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly anyOf?: readonly Schema[];
  /** How it may be written short: what comes after the expansion knows nothing of it. */
  readonly short?: Short;
};

const byTitle: { readonly [title: string]: Schema } = Object.fromEntries(
  Object.entries({
    Binding: primitives.binding as Schema,
    Requires: requirement as Schema,
    Condition: conditionShape as Schema,
    Entry: navigationEntry as Schema,
    OptionalNode: nodeSchemas.bell as Schema,
  }).map(([title, schema]) => [title, { ...schema, title }]),
);

const nodes = nodeSchemas as { readonly [type: string]: Schema };
const effects = effectSchemas as { readonly [name: string]: Schema };

/**
 * Chooses the exact JSON Schema for a value: that of a node by its `type`, of an effect by `do`, of a requirement by
 * how it is written.
 */
export function schemaOf(schema: Schema, value: unknown): Schema {
  if (schema.title === 'Node') return nodes[writtenName((value as { type?: unknown } | null)?.type)] ?? schema;
  if (schema.title === 'Effect') return effects[writtenName((value as { do?: unknown } | null)?.do)] ?? schema;
  if (schema.title === 'Requires' && typeof value === 'string') return requirementName;
  return (schema.title === undefined ? undefined : byTitle[schema.title]) ?? schema;
}

/** Gives the JSON Schema for an entry of a list; for a use of a part (`{ "part": … }`) the schema of such a use. */
export function itemSchema({ title, items = {} }: Schema, item: unknown): Schema {
  const isUse = item !== null && typeof item === 'object' && Object.hasOwn(item, 'part');
  return isUse && listsWithParts.has(title) ? (partUse as Schema) : items;
}

/** True for a text inside a part that contains a parameter (a placeholder) to be filled in where the part is used. */
export const hasPlaceholder = (text: string): boolean => placeholders.test(text);
const placeholders = new RegExp(placeholder);

/** Gives the rules of a node kind that go beyond its JSON Schema; empty for a schema of anything else. */
export const nodeRules = ({ properties }: Schema): NodeRules => rulesOf(String(properties?.type?.const));

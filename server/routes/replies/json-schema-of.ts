import type { ValueKind } from '../../../shared/language/reply.ts';
import { valueKinds } from '../../../shared/language/reply.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import type { Contract, ValueContract } from '../../layouts/index.ts';

/** A JSON Schema, draft 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Formats of texts by the kind of value. */
const formats: Partial<Record<ValueKind, JsonSchema>> = {
  day: { format: 'date' },
  time: { format: 'date-time' },
  epoch: { format: 'date-time' },
  // A number of the cloud leaves the portal as a decimal string.
  money: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' },
};

function schemaOfValue({ kind, codes, limits }: ValueContract, isOptional: boolean): JsonSchema {
  const { type = valueKinds[kind].classes, ...more } = formats[kind] ?? {};
  const types = [type].flat();
  const { min, max, pattern } = limits ?? {};
  const isNumeric = types.includes('number');
  return {
    type: isOptional ? [...types, 'null'] : types.length === 1 ? types[0] : types,
    description: valueKinds[kind].description,
    ...more,
    ...(codes && { enum: isOptional ? [...codes, null] : [...codes] }),
    ...(isNumeric && { minimum: min, maximum: max }),
    ...(types.includes('string') && kind !== 'money' && { maxLength: max, pattern }),
  };
}

/**
 * Writes the part of a reply that a caller gets as a JSON Schema: types, what may be null or absent, values and limits.
 * What comes of it keeps to it, since a reply is cut by the same contract.
 */
export function schemaOfContract(contract: Contract): JsonSchema {
  const type = (name: string) => (contract.optional ? [name, 'null'] : name);
  switch (contract.type) {
    case 'value':
      return withoutUndefined(schemaOfValue(contract, contract.optional));
    case 'list':
      return { type: type('array'), items: schemaOfContract(contract.item) };
    case 'map':
      return { type: type('object'), additionalProperties: schemaOfContract(contract.item) };
    case 'model':
      return {};
    case 'record': {
      const fields = [...contract.fields];
      return {
        type: type('object'),
        additionalProperties: false,
        required: fields.filter(([, field]) => !field.optional).map(([name]) => name),
        properties: Object.fromEntries(fields.map(([name, field]) => [name, schemaOfContract(field)])),
      };
    }
  }
}

const dateFormats: Readonly<Record<string, string>> = { date: 'date', 'date-time': 'date-time' };

function schemaOfField({ kind, mandatory, minLength, maxLength, min, max, requiredValue }: FieldNode): JsonSchema {
  if (kind === 'checkbox' || kind === 'switch')
    return withoutUndefined({ type: 'boolean', const: mandatory ? true : requiredValue });
  if (kind === 'number') return withoutUndefined({ type: 'number', minimum: min, maximum: max });
  // A field that may be left empty is empty text then, which is no day and no moment.
  const format = mandatory ? dateFormats[kind] : undefined;
  return withoutUndefined({
    ...{ type: 'string', format, maxLength, const: requiredValue },
    ...(mandatory && { minLength: Math.max(1, minLength ?? 1) }),
  });
}

/** Writes the body of an operation by the fields that a caller may send. */
export function schemaOfFields(fields: readonly FieldNode[]): JsonSchema {
  const sent = fields.filter(({ propertyName, kind }) => !propertyName.startsWith('$') && kind !== 'display');
  return {
    type: 'object',
    additionalProperties: false,
    // A field that a condition hides is not sent.
    required: sent.filter(({ mandatory, when }) => mandatory && !when).map(({ propertyName }) => propertyName),
    properties: Object.fromEntries(sent.map(field => [field.propertyName, schemaOfField(field)])),
  };
}

const withoutUndefined = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));

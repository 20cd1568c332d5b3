import { icon, kind, name, requires, text } from './primitives.ts';
import { requirementName } from './requirement.ts';

export const documentName = {
  title: 'DocumentName',
  type: 'string',
  pattern: '^[a-z][a-z0-9-]*$',
  maxLength: 60,
} as const;
export const schemaLine = {
  type: 'string',
  description: 'The JSON Schema in schemas/meta; its name is the kind of the document.',
} as const;
export const operationName = { title: 'OperationName', type: 'string' } as const;
export const eventName = { ...name, title: 'EventName', description: 'Name of an event.' } as const;

/** The names that requirements may use; any other name is an error at load. */
export const access = {
  description: 'The views, permissions and features that requirements may name, and the names of requirements.',
  type: 'object',
  required: ['$schema', 'views', 'permissions', 'features'],
  additionalProperties: false,
  properties: {
    $schema: schemaLine,
    views: { type: 'array', items: name, uniqueItems: true, description: 'In the order of their numbers.' },
    permissions: { type: 'array', items: name, uniqueItems: true },
    features: { type: 'array', items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9 _-]*$' }, uniqueItems: true },
    requirements: {
      description: 'Requirements by name: what documents and commands write in their place. They may name each other.',
      type: 'object',
      propertyNames: { pattern: requirementName.pattern },
      additionalProperties: requires,
    },
    unused: {
      description: 'Those of these names that nothing requires yet, each with the reason why it is listed.',
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1 },
    },
  },
} as const;

export const catalogueDocument = {
  description: 'Named entries with a text and a kind: statuses, codes, choices.',
  type: 'object',
  required: ['$schema', 'id', 'entries'],
  additionalProperties: false,
  properties: {
    $schema: schemaLine,
    id: documentName,
    entries: {
      title: 'Units',
      type: 'array',
      minItems: 1,
      maxItems: 500,
      items: {
        short: { pair: ['value', 'text'] },
        type: 'object',
        required: ['value', 'text'],
        additionalProperties: false,
        properties: {
          requires,
          value: { type: ['string', 'number', 'boolean'] },
          text,
          hint: text,
          kind,
          moving: { type: 'boolean', description: 'True while it is on its way to another.' },
          icon,
        },
      },
    },
  },
} as const;

/** One area's texts: a string, or variants with requirements of which the first met wins. */
export const texts = {
  description:
    'Texts of one area. A text is a string, or a list of variants of which the first whose requirement is met wins.',
  type: 'object',
  additionalProperties: {
    anyOf: [
      { type: 'string', maxLength: 20000 },
      {
        type: 'array',
        minItems: 1,
        maxItems: 20,
        items: {
          type: 'object',
          required: ['text'],
          additionalProperties: false,
          properties: { requires, text: { type: 'string', maxLength: 20000 } },
        },
      },
    ],
  },
  properties: { $schema: schemaLine },
} as const;

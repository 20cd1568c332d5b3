import { condition, nodes, requires } from './primitives.ts';
import { documentName, schemaLine } from './vocabulary.ts';

/** What may be given for a parameter of a part, by the kind that the part declares. */
export const parameterKinds = {
  path: 'Where something is read or kept, such as route.orgId; "part.<name>.Total" reads below it.',
  value: 'A path or a constant, as "with" of an operation takes it.',
  text: 'Key of a text.',
  name: 'A word: an id, the name of an operation, or a piece of one, as in "{part.<name>}-table".',
  nodes: 'A list of nodes; between other entries "part.<name>" puts them there.',
  columns: 'A list of columns of a table, in the same way.',
  list: 'Any other list, in the same way.',
} as const;
export type ParameterKind = keyof typeof parameterKinds;

const kindNames = Object.keys(parameterKinds);

export const partName = { ...documentName, title: 'PartName', description: 'Id of a part document.' } as const;
export const parameterName = '^[a-z][A-Za-z0-9]*$';

/** What stands in a list in place of the nodes or entries of a part. */
export const partUse = {
  description: 'A part, in place of its nodes or entries.',
  type: 'object',
  required: ['part'],
  additionalProperties: false,
  properties: {
    part: partName,
    with: {
      title: 'PartValues',
      description: 'What the parameters of the part are here, each as its kind says.',
      type: 'object',
      propertyNames: { pattern: parameterName },
      additionalProperties: {},
    },
    requires,
    when: condition,
  },
} as const;

/** Titles of the lists of what is trimmed by itself: a part may stand in them. */
export const listsWithParts: ReadonlySet<unknown> = new Set(['Nodes', 'Units', 'Entries']);

/** What stands in a part where something may be given: "part.<name>", a path below it, or "{part.<name>}" in a name. */
export const placeholder = '(?:^|\\{)part\\.';

/** Makes the JSON Schema of a part document; `data` and `state` are the schemas of these properties, as in a screen. */
export const partDocument = <Data, State>(data: Data, state: State) =>
  ({
    description:
      'Nodes, or entries of a menu, that documents put into their lists as often as they like: { "part": "<id>", "with": { … } }. It is trimmed, checked and explained where it is used.',
    type: 'object',
    required: ['$schema', 'id'],
    additionalProperties: false,
    properties: {
      $schema: schemaLine,
      id: documentName,
      parameters: {
        description:
          'What a use gives, by name, with its kind; "?" after it: may be left out, and what is it alone goes. Written as part.<name>.',
        type: 'object',
        propertyNames: { pattern: parameterName },
        additionalProperties: { title: 'ParameterKind', enum: kindNames.flatMap(kind => [kind, `${kind}?`]) },
      },
      data,
      state,
      children: nodes,
      entries: { title: 'Entries', type: 'array', maxItems: 40, items: { title: 'Entry' } },
    },
  }) as const;

import type { FieldNode } from '../../../shared/language/types.ts';
import type { ApiOperation } from '../../operations/api-operations.ts';
import type { KeyCaller } from './key-caller.ts';

const typeOfField = ({ kind }: FieldNode): object => {
  if (kind === 'checkbox' || kind === 'switch') return { type: 'boolean' };
  if (kind === 'number') return { type: 'number' };
  return { type: 'string' };
};

function parametersOf({ operation, capability }: ApiOperation): object[] {
  return Object.entries(operation.with ?? {})
    .filter(([name]) => capability.parameters.has(name))
    .map(([name, { type, required, ...rule }]) => {
      const { enum: values, minimum, maximum, maxLength } = rule;
      const bounds = { ...(values && { enum: values }), minimum, maximum, maxLength };
      return { name, in: 'query', required: required === true, schema: { type, ...bounds } };
    });
}

const bodyOf = (fields: readonly FieldNode[]): object => ({
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(
          fields
            .filter(({ propertyName }) => !propertyName.startsWith('$'))
            .map(field => [field.propertyName, typeOfField(field)]),
        ),
      },
    },
  },
});

const pressKey = {
  name: 'idempotency-key',
  in: 'header',
  required: true,
  description: 'One of your own for each act, of 8 to 64 letters, digits and hyphens: what comes twice is done once.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9-]{8,64}$' },
};

/** Writes the OpenAPI document of what a key opens, for whom it calls for: nothing else of the portal stands in it. */
export function writeApiDocument({ caller, operations }: KeyCaller, server: string): object {
  const refused = { description: 'Refused, with the reason in Error, Errors and Messages.' };
  const paths = [...operations.values()].map(one => {
    const { name, operation, method, capability } = one;
    const fields = caller.access.fieldsOf(name);
    const described = {
      operationId: name,
      summary: operation.description ?? name,
      parameters: [...parametersOf(one), ...(operation.once ? [pressKey] : [])],
      ...(method === 'POST' && capability.fields && { requestBody: bodyOf(capability.fields) }),
      responses: {
        200: {
          description: 'Done.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['Succeed'],
                properties: {
                  Succeed: { type: 'boolean' },
                  Result: { description: fields.length > 0 ? `With ${fields.join(', ')}.` : 'Nothing.' },
                },
              },
            },
          },
        },
        default: refused,
      },
    };
    return [`/${name}`, { [method.toLowerCase()]: described }];
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Portal API', version: '1', description: 'What this key opens, as its creator may do it today.' },
    servers: [{ url: `${server}/api/v1` }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    paths: Object.fromEntries(paths),
  };
}

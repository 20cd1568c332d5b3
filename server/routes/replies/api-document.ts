import type { ApiOperation } from '../../operations/api-operations.ts';
import { isAcceptable } from '../../operations/parameters.ts';
import { schemaOfContract, schemaOfFields } from './json-schema-of.ts';
import type { KeyCaller } from './key-caller.ts';

function parametersOf({ operation, capability }: ApiOperation): object[] {
  return Object.entries(operation.with ?? {})
    .filter(([name]) => capability.parameters.has(name))
    .map(([name, { type, required, ...rule }]) => {
      const { enum: all, minimum, maximum, maxLength } = rule;
      // A value that sorts or filters by a field that the caller may not have is left out.
      const values = all?.filter(value => isAcceptable(operation, capability, name, String(value)));
      const bounds = { ...(values && { enum: values }), minimum, maximum, maxLength };
      return { name, in: 'query', required: required === true, schema: { type, ...bounds } };
    });
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } });

const pressKey = {
  name: 'idempotency-key',
  in: 'header',
  required: true,
  description: 'One of your own for each act, of 8 to 64 letters, digits and hyphens: what comes twice is done once.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9-]{8,64}$' },
};

const messages = { type: 'array', items: { type: 'string' } };
const envelope = {
  type: 'object',
  required: ['Succeed'],
  properties: {
    Succeed: { type: 'boolean' },
    Error: { type: ['string', 'null'] },
    Errors: { type: ['object', 'null'], additionalProperties: messages, description: 'By the name of the field.' },
    Messages: messages,
    Result: { description: 'As the operation says; nothing where it was refused.' },
    Resources: { type: 'object', description: 'With the code of a refusal of the portal.' },
  },
};

/** Writes the OpenAPI document of what a key opens, for whom it calls for: nothing else of the portal stands in it. */
export function writeApiDocument({ caller, operations }: KeyCaller, server: string): object {
  const refused = {
    description: 'Refused, with the reason in Error, Errors and Messages.',
    ...json({ $ref: '#/components/schemas/Envelope' }),
  };
  const paths = [...operations.values()].map(one => {
    const { name, operation, method, capability } = one;
    const result = caller.access.replyOf(name);
    const described = {
      operationId: name,
      summary: operation.description ?? name,
      parameters: [...parametersOf(one), ...(operation.once ? [pressKey] : [])],
      ...(method === 'POST' &&
        capability.fields && { requestBody: { required: true, ...json(schemaOfFields(capability.fields)) } }),
      responses: {
        200:
          operation.file === undefined
            ? {
                description: 'Done, or refused for a reason that Error, Errors or Messages say.',
                ...json({
                  allOf: [{ $ref: '#/components/schemas/Envelope' }],
                  ...(result && { type: 'object', properties: { Result: schemaOfContract(result) } }),
                }),
              }
            : { description: 'The file.', content: { [operation.file]: {} } },
        default: refused,
      },
    };
    return [operation.file === undefined ? `/${name}` : `/files/${name}`, { [method.toLowerCase()]: described }];
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Portal API', version: '1', description: 'What this key opens, as its creator may do it today.' },
    servers: [{ url: `${server}/api/v1` }],
    security: [{ key: [] }],
    components: { schemas: { Envelope: envelope }, securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    paths: Object.fromEntries(paths),
  };
}

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { callAt, notationOf, replyAt } from '../../scripts/schemas/open-api.ts';
import { readOpenApi } from '../../scripts/schemas/read-open-api.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { runSchemas } from '../fixtures/schemas-tool.ts';

const schemas = withEditedSchemas();
const folder = await mkdtemp(join(tmpdir(), 'open-api-'));
after(() => rm(folder, { recursive: true }));

async function write(text: string): Promise<string> {
  const file = join(folder, 'cloud.txt');
  await writeFile(file, text);
  return file;
}

/** A description in YAML whose only call, GET /api/things, answers with a schema. */
const describing = (schema: object, version = '3.0.3', parts: object = {}) =>
  write(
    `openapi: ${version}\ninfo: { title: Cloud, version: '1' }\npaths:\n  /api/things:\n    get:\n      responses:\n        '200':\n          description: Done\n          content:\n            application/json; charset=utf-8:\n              schema: ${JSON.stringify(schema)}\ncomponents: ${JSON.stringify({ schemas: parts })}\n`,
  );

/** The reply that an operation would declare, and what could not be read. */
async function replyOf(...described: Parameters<typeof describing>) {
  const openApi = await readOpenApi(await describing(...described));
  const reply = replyAt(openApi, 'GET', '/api/things');
  return { reply: reply?.result && notationOf(reply.result), unread: [...openApi.unread], has: reply?.hasEnvelope };
}

const fieldsOf = async (properties: object, version: string, parts: object = {}) =>
  (await replyOf({ type: 'object', properties, required: Object.keys(properties) }, version, parts)).reply;

test('what may be null is optional, in the words of 3.0 and of 3.1', async () => {
  const named = { Count: { type: 'integer', nullable: true } };
  assert.deepEqual(
    await fieldsOf(
      {
        Flag: { type: 'boolean', nullable: true },
        Count: { allOf: [{ $ref: '#/components/schemas/Count' }] },
        Kind: { type: 'string', nullable: true, enum: ['a', 'b', null] },
      },
      '3.0.3',
      named,
    ),
    { Flag: 'yes-no?', Count: 'count?', Kind: { kind: 'code?', of: ['a', 'b'] } },
  );
  assert.deepEqual(
    await fieldsOf(
      {
        Count: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        Flag: { type: ['boolean', 'null'] },
        Day: { type: ['string', 'null'], format: 'date-time' },
        Ref: { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Person' }] },
        Only: { const: 'yes' },
        Key: { type: ['string', 'integer'] },
        Sure: { type: ['string'], format: 'date' },
      },
      '3.1.0',
      { Person: { type: 'object', properties: { Name: { type: 'string' } }, required: ['Name'] } },
    ),
    {
      ...{ Count: 'count?', Flag: 'yes-no?', Day: 'time?', Ref: { of: { Name: 'text' }, optional: true } },
      ...{ Only: { kind: 'code', of: ['yes'] }, Key: 'id', Sure: 'day' },
    },
  );
});

test('what no contract can say is named, and left out', async () => {
  const { reply, unread } = await replyOf({
    type: 'object',
    required: ['Name', 'Odd', 'Gone'],
    properties: {
      Name: { type: 'string' },
      Odd: { oneOf: [{ type: 'boolean' }, { type: 'object', properties: { A: { type: 'string' } } }] },
      Gone: { $ref: '#/components/schemas/Missing' },
    },
  });
  assert.deepEqual(reply, { Name: 'text' });
  assert.deepEqual(unread, [
    'The reply of "GET /api/things", "Odd": it may be boolean or object, which no kind of value is. It is left out.',
    '"#/components/schemas/Missing" leads to nothing that the description has.',
  ]);
});

test('a schema that holds itself ends, and is named', async () => {
  const folders = { type: 'object', properties: { Name: { type: 'string' }, Inside: { type: 'array', items: {} } } };
  folders.properties.Inside.items = { $ref: '#/components/schemas/Folder' };
  const { reply, unread } = await replyOf({ $ref: '#/components/schemas/Folder' }, '3.0.3', { Folder: folders });
  assert.deepEqual(reply, { Name: 'text?' });
  assert.equal(unread.length, 1);
  const wide = Object.fromEntries(
    Array.from({ length: 20 }, (_, level) => [
      `L${level}`,
      {
        type: 'object',
        properties: Object.fromEntries(
          ['a', 'b', 'c'].map(name => [
            name,
            level === 19 ? { type: 'string' } : { $ref: `#/components/schemas/L${level + 1}` },
          ]),
        ),
      },
    ]),
  );
  assert.match(
    (await replyOf({ $ref: '#/components/schemas/L0' }, '3.0.3', wide)).unread.join(),
    /more than \d+ parts/,
  );
});

test('a list at the top is the whole reply, without an envelope', async () => {
  const found = await replyOf({ type: 'array', items: { type: 'object', properties: { Id: { type: 'integer' } } } });
  assert.deepEqual(found, { reply: [{ Id: 'count?' }], unread: [], has: false });
});

test('paths, parameters, replies and schemas are found behind references', async () => {
  const openApi = await readOpenApi(
    await write(
      `\uFEFF${JSON.stringify({
        openapi: '3.0.0',
        paths: { '/api/shops/{shopId}/things': { $ref: '#/components/pathItems/Things' } },
        components: {
          pathItems: {
            Things: {
              parameters: [
                { $ref: '#/components/parameters/Shop' },
                { name: 'page', in: 'query', schema: { type: 'string' } },
              ],
              get: {
                parameters: [{ name: 'page', in: 'query', schema: { $ref: '#/components/schemas/Page~1Number' } }],
                responses: { '2XX': { $ref: '#/components/responses/Things' } },
              },
            },
          },
          parameters: {
            Shop: { name: 'shopId', in: 'path', required: true, schema: { type: 'string', maxLength: 9 } },
          },
          responses: {
            Things: { content: { 'application/hal+json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          },
          schemas: {
            'Page/Number': { type: 'integer', minimum: 1 },
            Thing: { type: 'object', properties: { Id: { type: 'string' } } },
          },
        },
      })}`,
    ),
  );
  const path = '/api/shops/{id}/things';
  const parameters = callAt(openApi, 'GET', path)?.parameters?.map(({ name, schema }) => [
    name,
    schema?.type,
    schema?.maxLength ?? schema?.minimum,
  ]);
  assert.deepEqual(parameters, [
    ['shopId', 'string', 9],
    ['page', 'integer', 1],
  ]);
  assert.deepEqual(notationOf(replyAt(openApi, 'GET', path)?.result ?? {}), { Id: 'text?' });
});

test('what is no OpenAPI 3 is refused in plain words', async () => {
  for (const [text, said] of [
    ['{"swagger":"2.0","paths":{}}', /is Swagger 2\.0\. Only OpenAPI 3\.0 and 3\.1 are read: convert it first\.$/],
    ['openapi: 4.0.0\npaths: {}', /is OpenAPI 4\.0\.0\. Only 3\.0 and 3\.1 are read\.$/],
    ['hello', /is no OpenAPI description: it does not say "openapi"\.$/],
    ['', /is no OpenAPI description/],
    ['openapi: 3.0.0', /has no paths\.$/],
    ['{"openapi": [}', /is neither JSON nor YAML: /],
  ] as const)
    await assert.rejects(readOpenApi(await write(text)), { message: said });
});

test('an operation is written with its path’s parameters and without an envelope, and what is not read ends with 1', async () => {
  const file = await write(
    `openapi: 3.1.0\npaths:\n  /api/shops/{shopId}/things:\n    parameters:\n      - { name: shopId, in: path, required: true, schema: { type: integer } }\n    get:\n      responses:\n        '200': { content: { application/json: { schema: { type: array, items: { type: string } } } } }\n  /api/nothing/{id}:\n    get: { responses: { '200': { description: Done } } }\n`,
  );
  const run = (begin: string) =>
    runSchemas(['import', file, begin, '--requires', 'reseller-side'], { SCHEMAS_DIR: schemas.folder });
  assert.equal((await run('hello.things=/api/shops/{shopId}/things')).code, 0);
  const { text, code } = await run('hello.nothing=/api/nothing/{id}');
  assert.equal(code, 1);
  assert.match(text, /not read: "GET \/api\/nothing\/\{id\}" describes no parameter "id"/);
  assert.match(text, /not read: The cloud says nothing of the reply of "GET \/api\/nothing\/\{id\}"/);
  const { operations } = JSON.parse(await readFile(join(schemas.folder, 'hello/operations.json'), 'utf8'));
  const { with: parameters, reply, envelope } = operations['hello.things'];
  assert.deepEqual(
    { parameters, reply, envelope },
    { parameters: { shopId: { type: 'integer' } }, reply: ['text'], envelope: false },
  );
  assert.deepEqual(operations['hello.nothing'].with, { id: { type: 'string' } });
});

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { bodyFormAt } from '../../scripts/schemas/body-form.ts';
import { principalWithAllRights } from '../../scripts/schemas/principal.ts';
import { readOpenApi } from '../../scripts/schemas/read-open-api.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { readFolder } from '../../server/layouts/index.ts';
import { trim } from '../../server/layouts/trim/trim.ts';
import type { Operation } from '../../shared/language/types.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { readLongForm } from '../fixtures/long-forms.ts';
import { runSchemas } from '../fixtures/schemas-tool.ts';
import { setUp } from '../fixtures/set-up.ts';

const schemas = withEditedSchemas();

const asset = {
  type: 'object',
  required: ['AssetId', 'Name', 'Status', 'Price', 'Bought'],
  properties: {
    AssetId: { type: 'string', format: 'id' },
    Name: { type: 'string' },
    Status: { type: 'string', enum: ['InUse', 'Retired'] },
    Serial: { type: 'string', nullable: true },
    Price: { type: 'number', description: 'In the currency beside it, two decimals.' },
    Bought: { type: 'string', format: 'date' },
  },
};
const body = {
  type: 'object',
  required: ['Name', 'Kind', 'Warranty'],
  properties: {
    Id: { type: 'string', readOnly: true },
    Name: { type: 'string', maxLength: 50 },
    Kind: { type: 'string', enum: ['Laptop', 'ThinClient'] },
    Serial: { allOf: [{ $ref: '#/components/schemas/Serial' }] },
    Seats: { type: 'integer', minimum: 1, maximum: 5 },
    ContactEmail: { type: 'string', format: 'email', maxLength: 100 },
    Emailed: { type: 'string', format: 'email', maxLength: 200 },
    Warranty: { type: 'boolean' },
    Bought: { type: 'string', format: 'date', nullable: true },
    Notes: { type: 'string', maxLength: 2000 },
    Tags: { type: 'array', items: { type: 'string' } },
  },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const reply = (Result: object) => ({
  200: json({ type: 'object', properties: { Succeed: { type: 'boolean' }, Result }, required: ['Succeed', 'Result'] }),
});
const query = (name: string, schema: object) => ({ name, in: 'query', schema });
const id = [{ name: 'assetId', in: 'path', required: true, schema: { type: 'string', maxLength: 40 } }];
const page = { type: 'integer', minimum: 1, maximum: 100 };
const listOf = (items: object) => ({
  type: 'object',
  required: ['Items', 'Total'],
  properties: { Items: { type: 'array', items }, Total: { type: 'integer' } },
});
const event = {
  type: 'object',
  required: ['Id', 'At', 'Action'],
  properties: {
    Id: { type: 'string', format: 'id' },
    At: { type: 'string', format: 'date-time' },
    Action: { type: 'string' },
  },
};
const pages = [query('page', page), query('pageSize', page)];
const status = query('status', { type: 'string', enum: ['InUse', 'Retired'] });
const done = { 204: { description: 'Done' } };
const cloud = {
  openapi: '3.0.3',
  components: { schemas: { Serial: { type: 'string', maxLength: 40, pattern: '^[A-Z0-9-]+$' } } },
  paths: {
    '/api/assets': {
      get: {
        description: 'The assets of a reseller. Needs: view customers.',
        parameters: [...pages, query('search', { type: 'string' }), status],
        responses: reply(listOf(asset)),
      },
      post: { summary: 'Adds an asset', requestBody: json(body), responses: reply(asset) },
    },
    '/api/assets/{assetId}': {
      parameters: id,
      get: { responses: reply(asset) },
      put: { requestBody: json(body), responses: done },
      delete: { responses: done },
    },
    '/api/assets/{assetId}/retire': { parameters: id, post: { responses: done } },
    '/api/assets/{assetId}/activity': { parameters: id, get: { parameters: pages, responses: reply(listOf(event)) } },
    '/api/assets/{assetId}/label': { parameters: id, get: { responses: reply(asset) } },
    '/api/assets/{assetId}/parts': { parameters: id, post: { requestBody: json(body), responses: done } },
  },
};

let openApi: string;
setUp(async () => {
  openApi = join(schemas.folder, 'cloud.txt');
  await writeFile(openApi, JSON.stringify(cloud));
});

const newArea = (area: string, from: string, ...more: string[]) =>
  runSchemas(['new', 'area', area, schemas.folder, '--openapi', openApi, '--from', from, ...more]);
const read = async (file: string) => JSON.parse(await readFile(join(schemas.folder, file), 'utf8'));

test('the form of an operation says of each field what the cloud says of it', async () => {
  const description = await readOpenApi(openApi);
  assert.deepEqual(bodyFormAt(description, 'POST', '/api/assets', 'assets')?.fields, [
    { field: 'Name', maxLength: 50 },
    {
      field: 'Kind',
      kind: 'radio',
      options: [{ Laptop: 'assets.kindLaptop' }, { ThinClient: 'assets.kindThinClient' }],
    },
    { field: 'Serial?', maxLength: 40, regex: '^[A-Z0-9-]+$' },
    { field: 'Seats?', kind: 'number', min: 1, max: 5 },
    { field: 'ContactEmail?', maxLength: 100 },
    { field: 'Emailed?', kind: 'email' },
    { field: 'Warranty?', kind: 'checkbox' },
    { field: 'Bought?', kind: 'date' },
    { field: 'Notes?', kind: 'text-area', maxLength: 2000 },
  ]);
  assert.deepEqual(
    [...description.unread],
    ['The body of "POST /api/assets", "Tags": no field of a form holds it, and it is left out.'],
  );
});

test('an area is written whole: list, detail, forms, verbs, deleting, texts and entry, and is right at once', async () => {
  const { code, text } = await newArea('assets', '/api/assets', '--requires', 'customer-editor', '--menu');
  assert.equal(code, 1, 'what could not be read is told');
  assert.match(text, /not read: The body of "POST \/api\/assets", "Tags"/);
  assert.match(text, /assets\.list: Needs: view customers\./);
  assert.doesNotMatch(text, /error:|warning:/);
  assert.deepEqual((await readdir(join(schemas.folder, 'assets'))).sort(), [
    ...['add-asset.json', 'asset.json', 'assets-create-form.json', 'assets.json'],
    ...['change-asset.json', 'operations.json'],
  ]);
  const { operations } = await read('assets/operations.json');
  assert.deepEqual(Object.keys(operations), [
    ...['assets.list', 'assets.get', 'assets.create', 'assets.update', 'assets.delete', 'assets.retire'],
    'assets.activity',
  ]);
  const said = Object.entries(operations).map(([name, operation]) => {
    const { body, refreshes, description } = operation as Operation;
    return [name, body, refreshes, description];
  });
  assert.deepEqual(said, [
    ['assets.list', undefined, undefined, 'The assets of a reseller.'],
    ['assets.get', undefined, undefined, undefined],
    ['assets.create', 'assets-create', ['assets.list'], 'Adds an asset.'],
    ['assets.update', 'assets-create', ['assets.list', 'assets.get'], undefined],
    ['assets.delete', undefined, ['assets.list'], undefined],
    ['assets.retire', undefined, ['assets.list', 'assets.get'], undefined],
    ['assets.activity', undefined, undefined, undefined],
  ]);
  assert.equal(operations['assets.list'].reply.Items[0].Status, 'code:asset-status');
  assert.equal((await read('text/en/assets.json')).serialInvalid, undefined, 'the message is that of the rule');

  const list = JSON.parse(await readLongForm(schemas.folder, 'assets/assets.json'));
  const table = list.children.at(-1);
  assert.equal(table.columns[0].to, '/assets/{row.AssetId}');
  assert.deepEqual(
    table.menu.map((entry: { id: string }) => entry.id),
    ['change-asset', 'retire-asset', 'delete-asset'],
  );

  assert.deepEqual(
    list.children[0].options.map(({ value }: { value: string }) => value),
    ['', 'InUse', 'Retired'],
  );
  assert.deepEqual(table.filteredBy, ['route.search', 'route.status']);
  const detail = JSON.parse(await readLongForm(schemas.folder, 'assets/asset.json'));
  const [below] = detail.children.at(-1).children;
  assert.deepEqual([below.rows, below.label], ['data.activity.Result.Items', 'assets.activity.title']);
  assert.deepEqual(
    below.columns.map(({ path }: { path: string }) => path),
    ['row.At', 'row.Action'],
  );

  const { compiled } = await readFolder(schemas.folder, commandDeclarations);
  assert.ok(compiled);
  const shown = (without: string[]) => trim(compiled, principalWithAllRights(compiled, 'reseller', without));
  const full = shown([]);
  assert.ok(full.screens.has('/assets') && full.screens.has('/assets/{assetId}'));
  assert.match(full.navigation?.bytes.toString() ?? '', /"to":"\/assets"/);
  assert.deepEqual([...full.writes.keys()].filter(name => name.startsWith('assets.')).length, 4);
  const less = shown(['addOrEditCustomers']);
  assert.equal(less.screens.has('/assets'), false, 'nobody else has any of it');
});

test('nothing is written over an area that is there, or of an address that the cloud does not have', async () => {
  const before = await readdir(schemas.folder, { recursive: true });
  const there = await newArea('customers', '/api/assets', '--requires', 'customer-editor');
  assert.match(there.text, /customers\/ is there already/);
  const nowhere = await newArea('things', '/api/things', '--requires', 'customer-editor');
  assert.match(nowhere.text, /The cloud does not offer "GET \/api\/things"/);
  const nobody = await newArea('things', '/api/assets', '--requires', 'nobody-at-all');
  assert.match(nobody.text, /nobody-at-all/);
  assert.deepEqual(await readdir(schemas.folder, { recursive: true }), before);
});

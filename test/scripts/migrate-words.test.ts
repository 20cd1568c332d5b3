import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrateFolder } from '../../scripts/schemas/migrate.ts';
import { expandDocuments } from '../../server/layouts/expand/expand.ts';
import { parseSource } from '../../server/layouts/load/load.ts';
import { everyone, writeSchemas } from '../fixtures/schemas.ts';

const list = { type: 'list', label: 't.label', rows: 'data.a.Result.Items', key: 'Id' };
const match = { type: 'match', id: 'match', propertyName: 'Changes' };
const lists = { rows: 'data.b.Result.Items', key: 'Id' };

test('what had the name of something else gets a name of its own, wherever its node stands, and nothing else does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrate-'));
  try {
    await writeSchemas(folder, {
      operations: { 'a.list': { method: 'GET', path: '/a', with: { type: { type: 'list', title: 'Title' } } } },
      screens: [
        {
          id: 'home',
          requires: everyone,
          children: [
            {
              type: 'card',
              title: 't.title',
              icon: 'data.a.Result.Icon',
              children: [{ ...list, title: 'row.Name', icon: 'row.Icon', empty: 't.none' }],
            },
            { type: 'empty', icon: 'inbox', title: 't.title' },
            {
              type: 'table',
              columns: [{ title: 't.title', icon: 'row.Icon', path: 'row.Name' }],
              empty: { title: 't.none', icon: 'inbox' },
            },
            { ...match, search: 'route.search', options: { ...lists, title: 'row.Name', empty: 't.none' } },
            { type: 'rows', title: 't.title', undo: 't.go', children: [] },
          ],
        },
      ],
    });
    const read = async (file: string) => {
      const source = parseSource(file, await readFile(join(folder, file), 'utf8'));
      assert.ok('file' in source);
      const [long] = expandDocuments([source], []);
      return JSON.parse(JSON.stringify(long?.json));
    };
    const { operations } = await read('operations.json');
    await migrateFolder(folder);
    assert.deepEqual((await read('screens/home.json')).children, [
      {
        type: 'card',
        title: 't.title',
        iconPath: 'data.a.Result.Icon',
        children: [{ ...list, titlePath: 'row.Name', iconPath: 'row.Icon', emptyText: 't.none' }],
      },
      { type: 'empty', icon: 'inbox', title: 't.title' },
      {
        type: 'table',
        columns: [{ title: 't.title', iconPath: 'row.Icon', path: 'row.Name' }],
        empty: { title: 't.none', icon: 'inbox' },
      },
      { ...match, searchPath: 'route.search', candidates: { ...lists, titlePath: 'row.Name', emptyText: 't.none' } },
      { type: 'field-rows', title: 't.title', undoText: 't.go', children: [] },
    ]);
    assert.deepEqual((await read('operations.json')).operations, operations);
    assert.deepEqual((await migrateFolder(folder)).files, []);
  } finally {
    await rm(folder, { recursive: true });
  }
});

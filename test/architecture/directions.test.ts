import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeSchemas } from '../../shared/language/nodes.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { type Import, importCycles, importsOf, sourceFiles } from './source-files.ts';

const all = sourceFiles('client', 'scripts', 'server', 'shared', 'test');
const imports = all.flatMap(importsOf);

const scorer = 'shared/rules/password-score.ts';
const addressReader = 'shared/rules/ip-address.ts';
const ground = ['server/config', 'server/errors', 'server/log', 'server/refusals', 'server/thread'];
const below = ['server/session', 'server/cloud', 'server/store', 'server/layouts', 'server/access', ...ground];

/** What a part of the product may import, besides itself and `shared`. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'server/access': [],
  'server/layouts': ['server/access', 'server/errors', 'server/refusals'],
  'server/editing': ['server/layouts', 'server/access'],
  'server/database': [],
  'server/store': ['server/database', ...ground],
  'server/cloud': ['server/store', 'server/access', ...ground],
  'server/session': ['server/cloud', 'server/store', 'server/access', ...ground],
  'server/operations': below,
  'server/commands': ['server/operations', ...below],
  'server/journeys': ['server/commands', 'server/operations', ...below],
  'server/calls': ['server/journeys', 'server/commands', 'server/operations', ...below],
  'server/exports': ['server/calls', 'server/operations', ...below],
  'server/routes': ['server/exports', 'server/calls', 'server/commands', 'server/operations', ...below],
  'server/realtime': ['server/calls', 'server/commands', 'server/operations', ...below],
  'server/sandbox': ['server/database'],
  'server/sandbox/database': ['server/database'],
  'client/runtime': ['client/look'],
  'client/look': [],
  'client/nodes': ['client/runtime', 'client/look'],
  'client/shell': ['client/runtime', 'client/look'],
};

for (const [part, targets] of Object.entries(allowed)) {
  test(`${part} imports only what stands below it`, () => {
    const others = notEmpty(imports.filter(({ from }) => isIn(from, part))).filter(
      ({ to }) => isProject(to) && ![part, 'shared', ...targets].some(one => isIn(to, one)),
    );
    assert.deepEqual(told(others), []);
  });
}

/**
 * The rooms of a folder, the lowest first. A file imports its own room and those below it; what stands beside the rooms
 * imports any of them, and none of them imports it.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'server/layouts': [
    ...['names', 'load', 'contract', 'project'],
    ...['expand', 'parts', 'resolve', 'check', 'compile', 'trim'],
  ],
  'server/routes': ['records', 'bounds', 'replies', 'handlers'],
  'client/runtime': ['state', 'forms', 'data', 'effects', 'page'],
};

for (const [folder, order] of Object.entries(rooms)) {
  const floorOf = (path: string): number => order.findIndex(room => isIn(path, `${folder}/${room}`));
  test(`no room of ${folder} imports one above it`, () => {
    const within = notEmpty(imports.filter(({ from, to }) => isIn(from, folder) && isIn(to, folder)));
    const climbs = within.filter(
      ({ from, to }) => floorOf(from) >= 0 && (floorOf(to) < 0 || floorOf(to) > floorOf(from)),
    );
    assert.deepEqual(told(climbs), []);
  });

  test(`every folder in ${folder} is a room with a place in the order`, () => {
    const folders = new Set(
      all.filter(file => isIn(file, folder)).flatMap(file => file.slice(folder.length + 1).match(/^[^/]+(?=\/)/) ?? []),
    );
    assert.deepEqual([...folders].sort(), [...order].sort());
  });
}

test('shared imports nothing but itself, the types of its schemas, and what scores passwords or reads addresses', () => {
  const others = imports.filter(
    ({ from, to }) => isIn(from, 'shared') && !isIn(to, 'shared') && to !== 'json-schema-to-ts',
  );
  const ofScorer = others.filter(({ from, to }) => from === scorer && to.startsWith('@zxcvbn-ts/'));
  // Portal and cloud judge addresses by one implementation; no browser does.
  const ofAddresses = others.filter(({ from, to }) => from === addressReader && to === 'ipaddr.js');
  assert.deepEqual(told(others.filter(one => !ofScorer.includes(one) && !ofAddresses.includes(one))), []);
  const users = imports.filter(({ from, to }) => isIn(from, 'client') && to === addressReader);
  assert.deepEqual(told(users), []);
});

test('no browser loads what scores passwords: its dictionaries take 50 MB', () => {
  const users = notEmpty(imports.filter(({ to }) => to === scorer));
  assert.deepEqual(told(users.filter(({ from }) => isIn(from, 'client') || isIn(from, 'shared'))), []);
});

test('82: threads alone load what rates passwords, judges patterns or makes workbooks', () => {
  const heavy = /^(@zxcvbn-ts\/|recheck$|write-excel-file)/;
  const users = imports.filter(({ from, to }) => isIn(from, 'server') && heavy.test(to));
  assert.deepEqual(told(users), []);
});

test('client and server never import each other', () => {
  const crossing = imports.filter(
    ({ from, to }) => (isIn(from, 'client') && isIn(to, 'server')) || (isIn(from, 'server') && isIn(to, 'client')),
  );
  assert.deepEqual(told(crossing), []);
});

test('the client imports nothing of Node', () => {
  assert.deepEqual(told(imports.filter(({ from, to }) => isIn(from, 'client') && to.startsWith('node:'))), []);
});

test('layouts and access know neither Fastify nor the network', () => {
  const network = /^(fastify|@fastify\/|undici|ws$|pg$|kysely|node:(http|https|net|tls))/;
  const pure = imports.filter(({ from }) => isIn(from, 'server/layouts') || isIn(from, 'server/access'));
  assert.deepEqual(told(pure.filter(({ to }) => network.test(to))), []);
});

test('only app.ts and start.ts of the portal import the sandbox', () => {
  const users = imports.filter(
    ({ from, to }) => isIn(to, 'server/sandbox') && isIn(from, 'server') && !isIn(from, 'server/sandbox'),
  );
  assert.deepEqual(told(users.filter(({ from }) => !['server/app.ts', 'server/start.ts'].includes(from))), []);
});

test('a node never imports another node: children go through dispatch', () => {
  const nodes = new Set(
    Object.keys(nodeSchemas).flatMap(type => [`client/nodes/${type}.tsx`, `client/nodes/${type}/${type}.tsx`]),
  );
  const between = imports.filter(
    // The lists that register them are no components.
    ({ from, to }) => isIn(from, 'client/nodes') && from.endsWith('.tsx') && nodes.has(to),
  );
  assert.deepEqual(told(between), []);
});

test('the product never imports its scripts or tests', () => {
  const product = imports.filter(({ from }) => ['client', 'server', 'shared'].some(part => isIn(from, part)));
  assert.deepEqual(told(product.filter(({ to }) => isIn(to, 'scripts') || isIn(to, 'test'))), []);
});

test('a command imports no command of another area', () => {
  const areaOf = (path: string) => /^server\/commands\/([^/]+)\//.exec(path)?.[1];
  // What flows of several areas share: the steps of a wizard, and who somebody is.
  const shared = new Set(['wizard', 'identity']);
  const commands = imports.filter(({ from, to }) => areaOf(from) !== undefined && areaOf(to) !== undefined);
  assert.ok(commands.length > 0);
  const across = commands.filter(({ from, to }) => areaOf(from) !== areaOf(to) && !shared.has(areaOf(to)!));
  assert.deepEqual(told(across), []);
});

test('an area of the sandbox owns its tables, which import nothing but types of rows', () => {
  const tables = imports.filter(({ from }) => /^server\/sandbox\/\w+\/tables\.ts$/.test(from));
  assert.ok(tables.length > 0);
  const rows = /^server\/sandbox\/(\w+\/tables|auth\/words|marketplace\/offer)\.ts$/;
  assert.deepEqual(told(tables.filter(({ to }) => isIn(to, 'server') && !rows.test(to))), []);
});

test('imports run in no ring', () => {
  assert.deepEqual(
    importCycles(all).map(cycle => cycle.join(' → ')),
    [],
  );
});

function isIn(path: string, part: string): boolean {
  return path === `${part}.ts` || path.startsWith(`${part}/`);
}

function isProject(path: string): boolean {
  return /^(client|scripts|server|shared|test|schemas)\//.test(path);
}

function told(found: readonly Import[]): string[] {
  return found.map(({ from, to }) => `${from} → ${to}`);
}

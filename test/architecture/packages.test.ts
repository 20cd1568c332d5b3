import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSource } from './source-files.ts';

type Entry = {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
type Lock = { readonly packages: Readonly<Record<string, Entry>> };
const lock = JSON.parse(readSource('package-lock.json')) as Lock;

/** The first versions without a known hole that matters here; an audit service may be out of reach. */
const minimum = { undici: '7.30.0', fastify: '5.12.2', '@fastify/reply-from': '12.6.4' };

for (const [name, version] of Object.entries(minimum)) {
  test(`every installed ${name} is ${version} or newer`, () => {
    const versions = Object.entries(lock.packages)
      .filter(([path]) => path.endsWith(`node_modules/${name}`))
      .map(([, { version: found }]) => found ?? '');
    assert.ok(versions.length > 0, `${name} is not in the lock file`);
    assert.deepEqual(
      versions.filter(found => isOlder(found, version)),
      [],
    );
  });
}

test('the lock file names no registry', () => {
  const resolved = Object.entries(lock.packages).filter(([, entry]) => entry.resolved);
  assert.deepEqual(
    resolved.map(([path]) => path),
    [],
  );
});

test('the lock file has every package of every platform, without which npm ci refuses it', () => {
  const known = new Set(Object.keys(lock.packages).map(path => path.split('node_modules/').at(-1)));
  const missing = Object.values(lock.packages)
    .flatMap(entry => Object.keys(entry.optionalDependencies ?? {}))
    .filter(name => !known.has(name));
  assert.deepEqual(missing, []);
});

test('every package is pinned to one version', () => {
  const manifest = JSON.parse(readSource('package.json')) as Record<string, Record<string, string> | undefined>;
  const loose = ['dependencies', 'devDependencies'].flatMap(kind =>
    Object.entries(manifest[kind] ?? {}).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
  );
  assert.deepEqual(loose, []);
});

function isOlder(found: string, wanted: string): boolean {
  const [a, b] = [found, wanted].map(version => version.split('.').map(part => Number.parseInt(part, 10)));
  const difference = a!.map((part, index) => part - (b![index] ?? 0)).find(part => part !== 0);
  return (difference ?? 0) < 0;
}

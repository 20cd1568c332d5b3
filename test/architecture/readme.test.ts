import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { notEmpty } from '../fixtures/rows.ts';
import { readSource, root } from './source-files.ts';

const manifest = JSON.parse(readSource('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
const made = ['dist', 'data', 'node_modules', 'test/results'];

for (const readme of notEmpty(readmes())) {
  const source = readSource(readme);

  test(`every command that ${readme} names exists`, () => {
    const missing = [...source.matchAll(/\bnpm (?:run )?(test|start|(?<=run )[\w:-]+)(?![\w-])/g)]
      .map(([, name]) => name!)
      .filter(name => !manifest.scripts[name]);
    assert.deepEqual(missing, []);
  });

  test(`every path that ${readme} names exists`, () => {
    const missing = [...linksIn(source), ...pathsIn(source), ...treesIn(source)].filter(
      path => !made.some(folder => path === folder || path.startsWith(`${folder}/`)) && !exists(path, readme),
    );
    assert.deepEqual(missing, []);
  });
}

function readmes(): string[] {
  const folders = ['.github', 'client', 'schemas', 'scripts', 'server', 'shared', 'test'].filter(one =>
    existsSync(join(root, one)),
  );
  const inside = folders.flatMap(folder => below(folder).map(file => `${folder}/${file}`));
  return [...readdirSync(root), ...inside].filter(file => /(^|\/)(README|CONTRIBUTING|CHANGELOG)\.md$/.test(file));
}

/** Targets of links that stay in the project. */
function linksIn(source: string): string[] {
  return [...source.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(([, to]) => to!).filter(to => !/^\w+:/.test(to));
}

/** Words in code marks that look like a path of the project: with a slash inside or a known ending, no placeholder. */
function pathsIn(source: string): string[] {
  return [...source.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)]
    .map(([, words]) => words!)
    .filter(words => /^[\w.-][\w.@-]*(\/[\w.@-]+)*\/?$/.test(words))
    .filter(words => /\.(ts|tsx|css|svg|md|sh|yml)$/.test(words) || /^\.?\w[\w-]*\//.test(words))
    .filter(words => !/^(application|text|image)\//.test(words))
    .map(words => words.replace(/\/$/, ''));
}

/** Paths of the folder maps: fenced blocks whose lines begin with a folder, deeper ones indented below it. */
function treesIn(source: string): string[] {
  return [...source.matchAll(/```(?:text)?\n([\s\S]*?)```/g)].flatMap(([, block]) => {
    const trail: { readonly depth: number; readonly folder: string }[] = [];
    return block!.split('\n').flatMap(line => {
      const [, indent, name] = /^( *)([\w.-]+(?:\/[\w.-]+)*\/?)(?: {2,}|$)/.exec(line) ?? [];
      if (indent === undefined || !name || !/[/.]/.test(name)) return [];
      while ((trail.at(-1)?.depth ?? -1) >= indent.length) trail.pop();
      const path = join(trail.at(-1)?.folder ?? '', name);
      if (name.endsWith('/')) trail.push({ depth: indent.length, folder: path });
      return [path.replace(/\/$/, '')];
    });
  });
}

/** As seen from the root or from a folder above the README; a bare name may stand anywhere below it. */
function exists(path: string, readme: string): boolean {
  const parts = dirname(readme).split('/');
  const folders = parts.map((_, count) => parts.slice(0, count + 1).join('/'));
  if (['', ...folders].some(folder => existsSync(join(root, folder, path)))) return true;
  return dirname(readme) !== '.' && !path.includes('/') && below(dirname(readme)).some(file => basename(file) === path);
}

function below(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
}

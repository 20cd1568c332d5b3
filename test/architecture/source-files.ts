import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { notEmpty } from '../fixtures/rows.ts';

/** One import of a source file: who imports, and what. */
export type Import = { readonly from: string; readonly to: string };

export const root = join(import.meta.dirname, '../..');

/** Source files below the given folders, as paths from the root. Fails where a folder has none. */
export function sourceFiles(...folders: string[]): string[] {
  return folders.flatMap(folder =>
    notEmpty(
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(file => /\.tsx?$/.test(file))
        .map(file => posix.join(folder, file))
        .sort(),
    ),
  );
}

export function readSource(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/**
 * The imports of a source file, static and dynamic. A file of the project is given by its path from the root, a
 * package by its name, one of Node's own with `node:`.
 */
export function importsOf(file: string): Import[] {
  const source = readSource(file);
  const statements = source.matchAll(/^(?:import|export)\s+(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
  const calls = source.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g);
  return [...statements, ...calls].map(([, to]) => ({ from: file, to: resolve(file, to!) }));
}

/** Rings of imports, each as the files along it. An import of types alone counts: who reads one file needs the other. */
export function importCycles(files: readonly string[]): string[][] {
  const graph = new Map(files.map(file => [file, importsOf(file)]));
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.push([...trail.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    for (const { to } of graph.get(file) ?? []) visit(to, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return cycles;
}

function resolve(file: string, to: string): string {
  return to.startsWith('.') ? posix.join(dirname(file), to) : to;
}

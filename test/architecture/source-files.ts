import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** One import of a source file: where it points, and whether it only names types. */
export type Import = { readonly from: string; readonly to: string; readonly typeOnly: boolean };

export const root = join(import.meta.dirname, '../..');

/** Source files below the given folders, as paths from the root. */
export function sourceFiles(...folders: string[]): string[] {
  return folders.flatMap(folder =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter(file => /\.tsx?$/.test(file))
          .map(file => posix.join(folder, file))
          .sort()
      : [],
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
  const statements = source.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
  const calls = source.matchAll(/\bimport\(\s*'([^']+)'\s*\)(\.[A-Z])?/g);
  return [
    ...[...statements].map(([, type, to]) => ({ from: file, to: resolve(file, to!), typeOnly: type !== undefined })),
    ...[...calls].map(([, to, type]) => ({ from: file, to: resolve(file, to!), typeOnly: type !== undefined })),
  ];
}

/** Rings of imports, each as the files along it; imports of types alone are no dependency at run time. */
export function importCycles(files: readonly string[]): string[][] {
  const graph = new Map(files.map(file => [file, importsOf(file).filter(one => !one.typeOnly)]));
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

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawMutations } from '../../scripts/schemas/mistakes/check-mutations.ts';
import { formatProblem } from '../../server/layouts/index.ts';
import { createLoader, parseSource } from '../../server/layouts/load/load.ts';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import type { Source } from '../../server/layouts/names/source.ts';
import { fullestPrincipals } from '../../server/layouts/trim/check-reach.ts';
import { trim } from '../../server/layouts/trim/trim.ts';
import { compile } from '../fixtures/compiler.ts';
import { type Draw, drawFrom } from '../fixtures/draw.ts';

/** File → text. */
export type Folder = ReadonlyMap<string, string>;

export function parse(file: string, text: string): Source {
  const source = parseSource(file, text);
  assert.ok('file' in source, file);
  return source;
}

/** Everything that a folder comes to: its problems, and what somebody with every right and two others get of it. */
function outcomeOf(sources: readonly Source[], commands: readonly CommandDeclaration[]) {
  const { compiled, problems } = compile(sources, commands);
  const principals = fullestPrincipals(compiled);
  const requirements = {
    used: [...compiled.requirements.used].sort(),
    asked: compiled.requirements.all.map(requirement => JSON.stringify(requirement)).sort(),
  };
  const told = problems.map(formatProblem).sort();
  if (problems.some(({ severity }) => severity === 'error')) return { told, requirements };
  const accesses = [0, principals.length >> 1, principals.length - 1].map(index => {
    const { screens, popups, reads, writes, commands } = trim(compiled, principals[index] as (typeof principals)[0]);
    const layouts = [...screens, ...popups].map(([name, { hash }]) => `${name} ${hash}`);
    return [layouts, ...[reads, writes, commands].map(calls => [...calls.keys()])].map(names => names.sort());
  });
  return { told, requirements, accesses };
}

/** One edit of the project's folder: of a sentence, of what a text interpolates, of what a screen holds or is called, or a mistake. */
function edit(folder: Folder, draw: Draw, mutations: readonly Source[]): Folder {
  const read = (file: string) => JSON.parse(folder.get(file) as string);
  const write = (file: string, json: object) => new Map([...folder, [file, JSON.stringify(json, null, 2)]]);
  const pick = (isRight: (file: string) => boolean): string => {
    const files = [...folder.keys()].filter(isRight);
    return files[draw(files.length)] as string;
  };
  const kind = draw(7);
  if (kind < 2) {
    const file = pick(name => name.startsWith('text/'));
    const json = read(file);
    const names = Object.keys(json).filter(name => typeof json[name] === 'string' && name !== '$schema');
    const name = names[draw(names.length)] as string;
    return write(file, { ...json, [name]: `${json[name]}${kind === 0 ? '!' : '{{unknown}}'}` });
  }
  if (kind < 4) {
    const file = pick(name => Array.isArray(read(name).children) && read(name).route !== undefined);
    const json = read(file);
    return write(file, kind === 2 ? { ...json, children: json.children.slice(0, -1) } : { ...json, id: 'renamed' });
  }
  if (kind === 4) {
    const file = pick(name => Array.isArray(read(name).parameters) && !name.includes('operations'));
    return write(file, { ...read(file), parameters: [] });
  }
  if (kind === 5) {
    const file = pick(() => true);
    return new Map([...folder].filter(([name]) => name !== file));
  }
  const source = mutations[draw(mutations.length)] as Source;
  return folder.has(source.file) ? write(source.file, source.json) : folder;
}

/**
 * Compiles folders one after the other, each an edit of the one before, and again with nothing known before; fails where
 * the two are not the same. Gives how many have no error.
 */
export function compareWithAnew(folders: readonly Folder[], commands: readonly CommandDeclaration[]): number {
  // As the loader does, a file that did not change is the same object again.
  const known = new Map<string, Source>();
  const load = ([file, text]: readonly [string, string]): Source => {
    const key = `${file} ${text}`;
    const source = known.get(key) ?? parse(file, text);
    known.set(key, source);
    return source;
  };
  const edited = folders.map(folder => outcomeOf([...folder].map(load), commands));
  let sound = 0;
  for (const [index, folder] of folders.entries()) {
    const anew = outcomeOf(
      [...folder].map(([file, text]) => parse(file, text)),
      commands,
    );
    if (anew.accesses) sound += 1;
    assert.deepEqual(edited[index], anew, `after edit ${index}`);
  }
  return sound;
}

/** The project's folder, and what comes of it by drawn edits. */
export async function editProject(seed: number, count: number): Promise<readonly Folder[]> {
  const { sources } = createLoader('schemas')();
  const texts = sources.map(async ({ file }) => [file, await readFile(join('schemas', file), 'utf8')] as const);
  const base: Folder = new Map(await Promise.all(texts));
  const mutations = drawMutations(sources, seed, 10).map(({ source }) => source);
  const draw = drawFrom(seed);
  const folders = [base];
  // Every other one is put right again.
  while (folders.length < count)
    folders.push(edit(folders.length % 2 === 0 ? base : (folders.at(-1) as Folder), draw, mutations));
  return folders;
}

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseSource, type Source } from './load.ts';

/** The last good version of the documents, as texts by file, for a start at which the folder holds a broken one. */
type SourceTexts = Readonly<Record<string, string>>;

/** Gives nothing where none is kept, or it cannot be read. */
export async function readKept(file: string): Promise<readonly Source[]> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as SourceTexts;
    return Object.entries(kept)
      .map(([name, text]) => parseSource(name, text))
      .filter(source => 'file' in source);
  } catch {
    return [];
  }
}

/**
 * Keeps documents of the folder `dir` in `file`. Keeps nothing where one has changed since it was checked; its next check
 * comes with the edit. Throws what the file system says.
 */
export async function keep(file: string, dir: string, sources: readonly Source[]): Promise<void> {
  const texts = await Promise.all(sources.map(source => readFile(path.join(dir, source.file), 'utf8')));
  const isChanged = sources.some(({ hash }, index) => {
    const text = texts[index] ?? '';
    const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
    return createHash('sha256').update(body).digest('base64url') !== hash;
  });
  if (isChanged) return;
  const kept: SourceTexts = Object.fromEntries(sources.map((source, index) => [source.file, texts[index] ?? '']));
  // Not `recursive`: in a folder that takes nothing in (/proc) that never ends.
  await mkdir(path.dirname(file)).catch(() => undefined);
  await writeFile(`${file}.new`, JSON.stringify(kept));
  await rename(`${file}.new`, file);
}

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseSource, type Source } from './load.ts';

/** The last good version of the documents, as texts by file, for a start at which the folder holds a broken one. */
type SourceTexts = Readonly<Record<string, string>>;

/** Reads the documents that `keep` wrote; none when there are none or they cannot be read. */
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
 * Writes the texts of checked documents of `dir` to `file`, for a start at which the folder is broken. Writes nothing
 * when a document has changed since it was checked: its next check follows the edit. Throws the error of the file
 * system.
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

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Source } from '../names/source.ts';
import { parseSource } from './load.ts';

/** The last good version of the documents, as texts by file, for a start at which the folder holds a broken one. */
type SourceTexts = Readonly<Record<string, string>>;

/**
 * Reads the last good version of the documents that `keep` wrote; an empty list when there is none or it is unreadable.
 */
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
 * Writes documents that passed their check to `file` as the last good version, for a start at which the folder is
 * broken. Skipped when one has changed since; its next check follows. Throws the file system's error.
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

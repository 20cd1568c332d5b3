import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';

/** `deep`: what takes long and rarely breaks, such as kills, large data and long properties. */
export type Tier = 'deep' | 'usual';

/** What a file is named after in a run that takes it on the embedded database, beside PostgreSQL. */
export const embedded = ' (embedded)';

/**
 * The contract of the store, and its upgrades: what both databases must hold. A sandbox on the embedded database is that of
 * `test/sandbox/process.test.ts`.
 */
export const onBoth: readonly string[] = [
  'test/store/drafts.test.ts',
  'test/store/store.test.ts',
  'test/store/upgrade.test.ts',
];

/** All test files of the project, as they lie below it. */
export function listTests(): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map(file => `test/${file}`)
    .filter(file => /\.test\.tsx?$/.test(file))
    .sort();
}

export function tierOf(file: string): Tier {
  return /\.deep\.test\.tsx?$/.test(file) ? 'deep' : 'usual';
}

/**
 * The files that a run of the usual tests takes: all usual ones, and a fifth of the deep ones, which the commit draws,
 * so that each deep file runs at about every fifth commit and a failure comes again at the same one. Without a commit
 * it is the first fifth.
 */
export function chooseUsual(files: readonly string[], commit: string | undefined): string[] {
  const deep = files.filter(file => tierOf(file) === 'deep').sort();
  if (commit !== undefined) {
    const place = new Map(deep.map(file => [file, hash(`${commit} ${file}`)]));
    deep.sort((a, b) => place.get(a)!.localeCompare(place.get(b)!));
  }
  const drawn = new Set(deep.slice(0, Math.ceil(deep.length / 5)));
  return files.filter(file => tierOf(file) === 'usual' || drawn.has(file));
}

/** The commit that is checked out; undefined in a copy without git. */
export function readCommit(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

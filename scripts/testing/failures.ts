import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A failed test, or one complaint of a tool. */
export type Failure = {
  readonly stage: string;
  readonly file?: string;
  /** The test's name, or the words of the tool. */
  readonly sentence: string;
  /** Why, in the words of the error. */
  readonly reason?: string;
};

/** Lines that a person reads at once, at the end of a run. */
const most = 10;
const longest = 240;

/** The first failures, a line each: stage, file, sentence, reason and, where a story left one, its picture. */
export function describeFailures(failures: readonly Failure[], pictures: string): string[] {
  const lines = failures.map(({ stage, file, sentence, reason }) => {
    const picture = join(pictures, `${pictureName(sentence)}-1.png`);
    const parts = [stage, file, sentence].filter(part => part !== undefined).join(': ');
    const why = reason ? ` (${inOneLine(reason)})` : '';
    const line = `${parts}${why}`;
    return `${line.length > longest ? `${line.slice(0, longest)}…` : line}${existsSync(picture) ? ` ${picture}` : ''}`;
  });
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `and ${lines.length - most + 1} more, in the logs`];
}

/** What a compiler or linter complains of, its first complaints first; without any that is known, its last line. */
export function readComplaints(stage: string, log: string): Failure[] {
  const lines = log
    .replace(/\u001b\[[\d;]*m/g, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  const known = /error TS\d+|━━|^(Unused|Unlisted|Unresolved|Duplicate|Configuration)\b|\b\w*Error\b|✘|\bfailed\b/i;
  const found = lines.filter(line => known.test(line));
  return (found.length > 0 ? found : lines.slice(-1)).map(line => ({
    stage,
    sentence: line.replace(/\s*━+\s*$/, ''),
  }));
}

/** As a story's pictures are named (`test/fixtures/browser.ts`). */
export function pictureName(story: string): string {
  return story.replace(/\W+/g, '-').slice(0, 80);
}

/** The words of an error without where it was thrown. */
function inOneLine(reason: string): string {
  const [words = ''] = reason.split(/\n\s+at /);
  return words
    .replace(/^AssertionError \[ERR_ASSERTION\]: /, '')
    .trim()
    .replace(/\s+/g, ' ');
}

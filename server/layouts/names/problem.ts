import { distance } from 'fastest-levenshtein';

/** Something wrong in a schema file, where, and what was meant. */
export type Problem = {
  /** Relative to the schemas folder. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Other files in which it may be mended: of a part those that use it, of a use that of its part. */
  readonly alsoIn?: readonly string[];
};

/** What is longer is no name that anybody wrote. */
const longestName = 200;
const longWord = /(\S{200})\S+/g;

/** Writes a problem as one line: `file:line:column: severity: message`. */
export function formatProblem(problem: Problem): string {
  const message = problem.message.replace(longWord, '$1…');
  return `${problem.file}:${problem.line}:${problem.column}: ${problem.severity}: ${message}`;
}

/** How many problems of a file a person reads before mending the first. */
const mostOfFile = 50;

/** Writes problems as lines: the first ones of each file, and how many more it has. */
export function formatProblems(problems: readonly Problem[]): string[] {
  const counts = new Map<string, number>();
  const lines: string[] = [];
  for (const problem of problems) {
    const count = (counts.get(problem.file) ?? 0) + 1;
    counts.set(problem.file, count);
    if (count <= mostOfFile) lines.push(formatProblem(problem));
  }
  for (const [file, count] of counts)
    if (count > mostOfFile) lines.push(`${file}: and ${count - mostOfFile} more in this file`);
  return lines;
}

/**
 * How many letters of a name must be changed to make another of it, in lower case: added, left out, replaced, or two
 * neighbours exchanged. More than `most` may come out as any greater number.
 */
export function nameDistance(name: string, other: string, most: number): number {
  const plain = distance(name, other);
  if (plain < 2 || plain > most + 1) return plain;
  let least = plain;
  for (let at = 1; at < name.length; at++) {
    const exchanged = name.slice(0, at - 1) + name[at] + name[at - 1] + name.slice(at + 1);
    least = Math.min(least, distance(exchanged, other) + 1);
  }
  return least;
}

/** The nearest known name; undefined when none is near. A document may have thousands of mistakes. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const lower = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const d = nameDistance(lower, candidate.toLowerCase(), bestDistance - 1);
    if (d < bestDistance && d < candidate.length) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/** ` Did you mean "x"?` for the nearest known name, or '' when none is near. */
export function suggest(name: string, known: Iterable<string>): string {
  const best = nearest(name, known);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}

/** Writes names as a list in words: `"a", "b" and "c"`. */
export function listOf(names: readonly string[]): string {
  const quoted = names.map(name => `"${name}"`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} and ${last}`;
}

/** In place of a file: the folder as a whole. */
export const wholeFolder = '.';

/** Makes an error of a file, at its beginning. */
export const problemOfFile = (file: string, message: string): Problem => ({
  ...{ file, line: 1, column: 1, severity: 'error', message },
});

/** Makes an error of the folder as a whole. */
export const problemOfAll = (message: string): Problem => problemOfFile(wholeFolder, message);

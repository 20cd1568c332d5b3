import { findNodeAtLocation } from 'jsonc-parser';
import { commandDeclarations } from '../../../server/commands/index.ts';
import { spanOfProblem } from '../../../server/editing/problem-span.ts';
import { readTree, tokensOf } from '../../../server/editing/tokens.ts';
import { checkHabits } from '../../../server/layouts/check/habits.ts';
import { isDrawn } from '../../../server/layouts/compile/basis.ts';
import { expandDocuments } from '../../../server/layouts/expand/expand.ts';
import { type FolderFacts, gatherFacts } from '../../../server/layouts/expand/folder-facts.ts';
import type { CommandDeclaration } from '../../../server/layouts/names/command-declaration.ts';
import type { Problem } from '../../../server/layouts/names/problem.ts';
import type { LongDocument, Source } from '../../../server/layouts/names/source.ts';
import { type Compiler, createCompiler } from '../../../server/layouts/pipeline.ts';
import { checkReach } from '../../../server/layouts/trim/check-reach.ts';
import { letterMistakes } from './letters.ts';
import { type Draw, drawFrom, type MistakeKind, type Mutation } from './mutation.ts';
import { duplicateMistakes, nestingMistakes, otherListMistakes, rootMistakes, valueMistakes } from './others.ts';
import { whyExcluded } from './why-excluded.ts';

const makers: Readonly<
  Record<MistakeKind, (source: LongDocument, facts: FolderFacts) => ((draw: Draw) => Mutation | undefined)[]>
> = {
  letter: letterMistakes,
  nesting: nestingMistakes,
  value: valueMistakes,
  root: rootMistakes,
  duplicate: duplicateMistakes,
  'other list': otherListMistakes,
};

/** The kinds of mistakes, in the order of the report. */
export const mistakeKinds = Object.keys(makers) as MistakeKind[];

/**
 * Makes documents with one mistake each, of every place where one of the kind can be made, or of `count` for each kind,
 * drawn with `seed`.
 */
export function drawMutations(
  sources: readonly Source[],
  seed: number,
  count = Number.POSITIVE_INFINITY,
  kinds: readonly MistakeKind[] = mistakeKinds,
): Mutation[] {
  const draw = drawFrom(seed);
  const documents = expandDocuments(sources, commandDeclarations);
  const facts = gatherFacts(sources, commandDeclarations);
  return kinds.flatMap(kind => {
    const left = documents.flatMap(source => makers[kind](source, facts));
    const all = left.length;
    const drawn: Mutation[] = [];
    while (left.length > 0 && drawn.length < count) {
      const [make] = left.splice(count < all ? draw(left.length) : 0, 1);
      const mutation = make?.(draw);
      if (mutation) drawn.push(mutation);
    }
    return drawn;
  });
}

type Share = {
  readonly tried: number;
  /** How many a message names at their line. */
  told: number;
  /** Of these, those at whose word an editor underlines something. */
  underlined: number;
  /** How many are refused for something else. */
  refused: number;
};

export type MutationReport = {
  readonly shares: ReadonlyMap<MistakeKind, Share>;
  /** Reason → the mistakes that were left out. */
  readonly excluded: ReadonlyMap<string, readonly Mutation[]>;
  /** Those that no message names, each with what is said in its place. */
  readonly missed: readonly { readonly mutation: Mutation; readonly said: readonly Problem[] }[];
};

/**
 * Checks the documents with each mistake in turn, as `schemas check` does; reports how many a message names at their
 * line, and which not.
 */
export async function checkMutations(
  sources: readonly Source[],
  mutations: readonly Mutation[],
  commands: readonly CommandDeclaration[],
): Promise<MutationReport> {
  const excluded = new Map<string, Mutation[]>();
  const missed: { mutation: Mutation; said: readonly Problem[] }[] = [];
  const shares = new Map<MistakeKind, Share>();
  for (const { kind } of mutations)
    shares.set(kind, { tried: (shares.get(kind)?.tried ?? 0) + 1, told: 0, underlined: 0, refused: 0 });
  const long = expandDocuments(sources, commands);
  const compiler = createCompiler();
  const inTurn = [...mutations].sort((one, next) => Number(isDrawn(next.source)) - Number(isDrawn(one.source)));
  for (const mutation of inTurn) {
    const said = await problemsOf(sources, mutation, commands, compiler);
    const share = shares.get(mutation.kind) as Share;
    const told = said.filter(problem => isTold(problem, mutation));
    if (told.length > 0) {
      share.told++;
      if (told.some(problem => isUnderlined(problem, mutation))) share.underlined++;
      continue;
    }
    const why = whyExcluded(mutation, long);
    if (why !== undefined && said.every(({ severity }) => severity !== 'error'))
      excluded.set(why, [...(excluded.get(why) ?? []), mutation]);
    else {
      if (said.some(({ severity }) => severity === 'error')) share.refused++;
      missed.push({ mutation, said });
    }
  }
  return { shares, excluded, missed };
}

/** Whether a message at the line of the wrong word names it. */
function isTold({ file, line, message }: Problem, { kind, source, at, words }: Mutation): boolean {
  const first = source.problem(at, '').line;
  // An object in place of another value is told by the name in it, which stands on the next line.
  const last = kind === 'value' ? first + 1 : first;
  if (file !== source.file || line < first || line > last) return false;
  return words.some(word => word !== '' && message.includes(word));
}

/** Whether what an editor underlines lies in the wrong word, or in the words of the object that is wrong. */
function isUnderlined(problem: Problem, { text, at }: Mutation): boolean {
  const { start, end } = spanOfProblem(text, problem);
  const tree = readTree(text);
  const { name, value } = tokensOf(tree, at);
  // A field that is written as its name alone is that word.
  const whole = tree && findNodeAtLocation(tree, at.slice(0, -1));
  const node = (tree && findNodeAtLocation(tree, [...at])) ?? (whole?.type === 'string' ? whole : undefined);
  const within = [name, value, node && { start: node.offset, end: node.offset + node.length }];
  return within.some(word => word !== undefined && word.start <= start && end <= word.end);
}

/** Writes a mistake in one line: where, what stood there, and what stands there now. */
export const describeMutation = ({ kind, source, at, was, words }: Mutation): string =>
  `${kind} ${was.slice(0, 60)} → ${words[0]} in ${source.file} ${at.join('/')}`;

const percent = (count: number, all: number): string => `${((100 * count) / Math.max(1, all)).toFixed(1)} %`;

/** Formats the report of `checkMutations` as text. */
export function printReport({ shares, excluded, missed }: MutationReport): string {
  const tried = [...shares.values()].reduce((sum, share) => sum + share.tried, 0);
  const told = [...shares.values()].reduce((sum, share) => sum + share.told, 0);
  const underlined = [...shares.values()].reduce((sum, share) => sum + share.underlined, 0);
  return [
    `${told} of ${tried} mistakes told by their cause (${percent(told, tried)}), ${underlined} underlined at their word`,
    ...[...shares].map(
      ([kind, share]) =>
        `  ${kind}: ${share.told} of ${share.tried} (${percent(share.told, share.tried)}), ${share.refused} refused for something else`,
    ),
    ...[...excluded].map(([why, { length }]) => `${length} left out (${percent(length, tried)}): ${why}`),
    ...missed.flatMap(({ mutation, said }) => [
      `not told: ${describeMutation(mutation)}`,
      ...said.slice(0, 2).map(({ file, line, message }) => `    ${file}:${line}: ${message}`),
    ]),
  ].join('\n');
}

/** Gives the problems of the documents with one of them changed, without those that they have as they are. */
async function problemsOf(
  sources: readonly Source[],
  { source: changedSource }: Mutation,
  commands: readonly CommandDeclaration[],
  compiler: Compiler,
): Promise<readonly Problem[]> {
  const all = sources.map(source => (source.file === changedSource.file ? changedSource : source));
  const { compiled, problems } = await compiler.check({ sources: all, problems: [] }, commands);
  const isRight = compiled && problems.every(({ severity }) => severity !== 'error');
  return isRight ? [...problems, ...checkReach(compiled), ...checkHabits(compiled)] : problems;
}

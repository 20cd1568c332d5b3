import type { JudgedRequirement, PlaceValues } from '../names/compile-context.ts';
import type { Mentions } from '../names/pass.ts';
import type { Problem } from '../names/problem.ts';
import type { AskedRequirements } from '../names/scope.ts';

/** What is found in documents while they are compiled, beside what they become. */
export type Findings = {
  readonly problems: Problem[];
  readonly mentions: Mentions;
  /** Requirements, each with whether anybody meets it together with those above it. */
  readonly judged: JudgedRequirement[];
  /** What places of the address and the page get, and are compared with. */
  readonly placeValues: PlaceValues;
  readonly requirements: AskedRequirements;
};

/** Creates an empty record of the requirements that documents use, to be filled while they compile. */
export const newAsked = (): AskedRequirements => ({ used: new Set(), all: [] });

/**
 * Creates an empty record of what compiling a document finds: problems, mentioned names, requirements, values of
 * places.
 */
export const newFindings = (): Findings => ({
  problems: [],
  mentions: {
    operation: new Set(),
    popup: new Set(),
    part: new Set(),
    form: new Set(),
    journey: new Set(),
    catalogue: new Set(),
    text: new Set(),
    command: new Set(),
  },
  judged: [],
  placeValues: { written: [], bound: [], read: new Set(), tested: [] },
  requirements: newAsked(),
});

/** Merges what compiling several documents found; changes none of them. */
export function mergeFindings(list: readonly Findings[]): Findings {
  const whole = newFindings();
  for (const { problems, mentions, judged, placeValues, requirements } of list) {
    for (const problem of problems) whole.problems.push(problem);
    for (const [kind, names] of Object.entries(mentions))
      for (const name of names) whole.mentions[kind as keyof Mentions].add(name);
    for (const one of judged) whole.judged.push(one);
    for (const one of placeValues.written) whole.placeValues.written.push(one);
    for (const one of placeValues.bound) whole.placeValues.bound.push(one);
    for (const one of placeValues.tested) whole.placeValues.tested.push(one);
    for (const place of placeValues.read) whole.placeValues.read.add(place);
    for (const name of requirements.used) whole.requirements.used.add(name);
    for (const one of requirements.all) whole.requirements.all.push(one);
  }
  return whole;
}

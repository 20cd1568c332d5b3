import type { Requirement } from '../../../shared/language/types.ts';
import type { CallerFacts } from '../names/pass.ts';

type Question = (caller: CallerFacts) => unknown;
/** A question with what follows each answer to it, or what all the answers up to here come to. */
type QuestionTree<T> =
  | { readonly ask: Question; readonly next: Map<unknown, QuestionTree<T>> }
  | { readonly outcome: T };

/**
 * Memoises a pass of the trimmer: callers for whom every requirement that the pass evaluates comes out alike share one
 * result. Results are kept in a tree, since what is evaluated next depends on the outcomes before. `keyOf` gives the same
 * for requirements that are evaluated once.
 */
export function memoiseByQuestions<T>(
  run: (caller: CallerFacts) => T,
  keyOf: (requirement: Requirement) => unknown = requirement => requirement,
): (caller: CallerFacts) => T {
  let root: QuestionTree<T> | undefined;
  return caller => {
    let tree = root;
    while (tree && 'ask' in tree) tree = tree.next.get(tree.ask(caller));
    if (tree) return tree.outcome;
    const asked = new Map<unknown, { readonly ask: Question; readonly answer: unknown }>();
    const note = <A>(key: unknown, ask: (caller: CallerFacts) => A): A => {
      const known = asked.get(key);
      if (known) return known.answer as A;
      const answer = ask(caller);
      asked.set(key, { ask, answer });
      return answer;
    };
    const outcome = run({
      get type() {
        return note('type', one => one.type);
      },
      get locale() {
        return note('locale', one => one.locale);
      },
      meets: requirement => requirement === undefined || note(keyOf(requirement), one => one.meets(requirement)),
      mayAsk: requirement => note(askKeyOf(requirement), one => one.mayAsk(requirement)),
      lacks: document => note(document, one => one.lacks(document)),
    });
    root = grow(root, [...asked.values()], outcome);
    return outcome;
  };
}

const askKeys = new WeakMap<Requirement, object>();

/** The key of the question whether a requirement may be asked for, apart from that of whether it is met. */
function askKeyOf(requirement: Requirement): object {
  const key = askKeys.get(requirement) ?? {};
  askKeys.set(requirement, key);
  return key;
}

function grow<T>(
  tree: QuestionTree<T> | undefined,
  [first, ...rest]: readonly { readonly ask: Question; readonly answer: unknown }[],
  outcome: T,
): QuestionTree<T> {
  if (!first) return { outcome };
  const grown = tree && 'ask' in tree ? tree : { ask: first.ask, next: new Map<unknown, QuestionTree<T>>() };
  grown.next.set(first.answer, grow(grown.next.get(first.answer), rest, outcome));
  return grown;
}

import type { Requirement } from '../../../shared/language/types.ts';
import type { Principal } from '../../access/principal.ts';
import { decide } from '../../access/requirement.ts';
import type { CallerFacts, Compiled, CompiledDocument } from '../pass.ts';
import { referringIn } from './trim.ts';

/** Some of a list of principals: the bit of each one's place in the list. */
export type Callers = bigint;

/** What a document comes to for all of these callers. */
export type SharedResult<R> = { readonly callers: Callers; readonly result: R };

/**
 * Gives, by key of a document, what `emit` makes of it for many principals at once: each result with the principals
 * that it is for. When a document turns out to be nothing for somebody, those that lead to it are emitted again.
 * Principals share a pass until their type, locale or a requirement comes out differently for them.
 */
export function emitForAll<R>(
  compiled: Compiled,
  principals: readonly Principal[],
  emit: (compiled: Compiled, document: CompiledDocument, caller: CallerFacts) => R | undefined,
): ReadonlyMap<string, readonly SharedResult<R>[]> {
  const dead = new Map<string, Callers>();
  const deadFor = (key: string): Callers => dead.get(key) ?? nobody;
  const results = new Map<string, SharedResult<R>[]>();
  const run = createRun(principals, deadFor);
  const referring = referringIn(compiled);
  const everybody = choose(principals, () => true);
  let open = new Map([...compiled.documents.values()].map(document => [document, everybody] as const));
  while (open.size > 0) {
    const next = new Map<CompiledDocument, Callers>();
    for (const [document, callers] of open) {
      const { key } = document;
      const again = callers & ~deadFor(key);
      const list = (results.get(key) ?? []).flatMap(({ callers: own, result }) =>
        (own & ~again) === nobody ? [] : [{ callers: own & ~again, result }],
      );
      let died = nobody;
      for (const { callers: own, result } of run(again, caller => emit(compiled, document, caller))) {
        if (result === undefined) died |= own;
        else list.push({ callers: own, result });
      }
      results.set(key, list);
      if (died === nobody) continue;
      dead.set(key, deadFor(key) | died);
      for (const other of referring.get(key) ?? []) next.set(other, (next.get(other) ?? nobody) | died);
    }
    open = next;
  }
  return results;
}

export const nobody: Callers = 0n;

const choose = (principals: readonly Principal[], isChosen: (principal: Principal) => boolean): Callers =>
  principals.reduce(
    (chosen, principal, place) => (isChosen(principal) ? chosen | (1n << BigInt(place)) : chosen),
    nobody,
  );

const byAnswer = <A>(
  principals: readonly Principal[],
  answerOf: (principal: Principal) => A,
): ReadonlyMap<A, Callers> =>
  new Map(
    [...new Set(principals.map(answerOf))].map(answer => [answer, choose(principals, one => answerOf(one) === answer)]),
  );

/** Runs a pass for some callers, once for all of them who answer alike what it asks: it knows of its caller nothing else. */
function createRun(principals: readonly Principal[], deadFor: (document: string) => Callers) {
  const meeting = createMeeting(principals);
  const types = byAnswer(principals, ({ type }) => type);
  const locales = byAnswer(principals, ({ facts }) => facts.locale);
  return <R>(callers: Callers, pass: (caller: CallerFacts) => R): SharedResult<R>[] => {
    const results: SharedResult<R>[] = [];
    const waiting = [callers];
    for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
      if (group === nobody) continue;
      let together = group;
      /** The answer of those who run together. Where they differ the pass goes on with those who say yes. */
      const isOf = (others: Callers): boolean => {
        const yes = together & others;
        if (yes === nobody) return false;
        waiting.push(together & ~others);
        together = yes;
        return true;
      };
      const oneOf = <A>(answers: ReadonlyMap<A, Callers>): A => {
        for (const [answer, others] of answers) if (isOf(others)) return answer;
        throw new Error('Nobody is asked.');
      };
      const result = pass({
        get type() {
          return oneOf(types);
        },
        get locale() {
          return oneOf(locales);
        },
        meets: requirement => requirement === undefined || isOf(meeting(requirement)),
        lacks: document => isOf(deadFor(document)),
      });
      results.push({ callers: together, result });
    }
    return results;
  };
}

/** The principals who meet a requirement. Most are written in many places: each is judged once. */
function createMeeting(principals: readonly Principal[]): (requirement: Requirement) => Callers {
  const judged = new Map<string, Callers>();
  const known = new Map<Requirement, Callers>();
  return requirement => {
    let callers = known.get(requirement);
    if (callers !== undefined) return callers;
    const words = JSON.stringify(requirement);
    callers = judged.get(words) ?? choose(principals, principal => decide(requirement, principal).met);
    judged.set(words, callers);
    known.set(requirement, callers);
    return callers;
  };
}

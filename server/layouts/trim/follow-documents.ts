import type { UserType } from '../../../shared/contract/boot.ts';
import type { Requirement } from '../../../shared/language/types.ts';
import { missingRights } from '../../access/missing-rights.ts';
import type { Principal } from '../../access/principal.ts';
import { decide } from '../../access/requirement.ts';
import type { CallerFacts, Compiled, CompiledDocument } from '../names/pass.ts';
import { memoiseByQuestions } from './memoise-by-questions.ts';
import { withoutLost } from './trim.ts';

type Followed<R> = {
  /** What there is for the principal, by key. */
  readonly results: ReadonlyMap<string, R>;
  readonly meets: (requirement: Requirement) => boolean;
};

/**
 * Runs `emit` over all documents for one principal after the other. Of two of one user type the second costs only the
 * documents that asked something to which it has another answer.
 */
export function createFollower<R>(
  compiled: Compiled,
  emit: (document: CompiledDocument, caller: CallerFacts) => R | undefined,
): (principal: Principal) => Followed<R> {
  const documents = [...compiled.documents.values()];
  const questions = createQuestions();
  const runs = new Map(
    documents.map(document => [document, memoiseByQuestions(caller => emit(document, caller), questions.whetherMet)]),
  );
  const askedBy: Set<CompiledDocument>[] = [];
  /** Results as if all documents were there for the last principal. */
  const first = new Map<string, R>();
  let last: Asking | undefined;

  return principal => {
    const asking = new Asking(principal, questions, askedBy);
    const again = last?.isOfTypeOf(asking) ? asking.documentsUnlike(last) : documents;
    for (const document of again) {
      const result = runs.get(document)?.(asking.as(document));
      if (result) first.set(document.key, result);
      else first.delete(document.key);
    }
    last = asking;
    const results = withoutLost(compiled, first, asking.dead, document => runs.get(document)?.(asking.as(document)));
    return { results, meets: requirement => asking.meets(requirement) };
  };
}

/** Answers the questions of documents about a principal, each once, and notes which of them asked. */
class Asking implements CallerFacts {
  readonly type: UserType;
  readonly locale: string;
  /** Keys of the documents that are not there. */
  readonly dead = new Set<string>();
  private readonly principal: Principal;
  private readonly questions: Questions;
  /** By the number of a question, the documents that have asked it. */
  private readonly askedBy: Set<CompiledDocument>[];
  private readonly answers: boolean[];
  private document: CompiledDocument | undefined;

  constructor(principal: Principal, questions: Questions, askedBy: Set<CompiledDocument>[]) {
    this.principal = principal;
    this.questions = questions;
    this.askedBy = askedBy;
    this.type = principal.type;
    this.locale = principal.facts.locale;
    this.answers = questions.answersOf(principal);
  }

  /** Answers a document from now on. */
  as(document: CompiledDocument): this {
    this.document = document;
    return this;
  }

  isOfTypeOf({ type, locale }: Asking): boolean {
    return type === this.type && locale === this.locale;
  }

  /** The documents that asked something to which another principal has another answer. */
  documentsUnlike({ answers }: Asking): ReadonlySet<CompiledDocument> {
    const unlike = new Set<CompiledDocument>();
    for (const [number, asking] of this.askedBy.entries())
      if (answers[number] !== this.answers[number]) for (const document of asking) unlike.add(document);
    return unlike;
  }

  meets(requirement: Requirement | undefined): boolean {
    return requirement === undefined || this.answer(this.questions.whetherMet(requirement));
  }

  mayAsk(requirement: Requirement): boolean {
    return this.answer(this.questions.whetherToAsk(requirement));
  }

  lacks(document: string): boolean {
    return this.dead.has(document);
  }

  private answer(number: number): boolean {
    this.askedBy[number] ??= new Set();
    if (this.document) this.askedBy[number].add(this.document);
    this.answers[number] ??= this.questions.answer(number, this.principal);
    return this.answers[number];
  }
}

type Questions = ReturnType<typeof createQuestions>;

/**
 * Numbers what documents ask about a principal: whether it meets a requirement, and whether it may ask for it.
 * Requirements that say the same have one number.
 */
function createQuestions() {
  const asks: ((principal: Principal) => boolean)[] = [];
  const numbering = (ask: (requirement: Requirement, principal: Principal) => boolean) => {
    const numbers = new Map<Requirement, number>();
    const byText = new Map<string, number>();
    return (requirement: Requirement): number => {
      const known = numbers.get(requirement);
      if (known !== undefined) return known;
      const text = JSON.stringify(requirement);
      const number = byText.get(text) ?? asks.push(principal => ask(requirement, principal)) - 1;
      byText.set(text, number);
      numbers.set(requirement, number);
      return number;
    };
  };
  return {
    whetherMet: numbering((requirement, principal) => decide(requirement, principal).met),
    whetherToAsk: numbering((requirement, principal) => missingRights(requirement, principal) !== undefined),
    answer: (number: number, principal: Principal): boolean => asks[number]?.(principal) === true,
    /** The answers to all questions that have been asked. */
    answersOf: (principal: Principal): boolean[] => asks.map(ask => ask(principal)),
  };
}

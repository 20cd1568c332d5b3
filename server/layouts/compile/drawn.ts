import type { CompiledDocument } from '../names/pass.ts';
import type { AskedRequirements } from '../names/scope.ts';
import type { LongDocument } from '../names/source.ts';
import { expandJourneys } from '../resolve/journeys.ts';
import { withAlso } from '../resolve/variants.ts';
import type { Basis } from './basis.ts';
import { compileDocument } from './compile-document.ts';
import { type Findings, newAsked, newFindings } from './findings.ts';
import { contextOf, type NamedByOthers } from './named-by-others.ts';

/** A screen, popup or menu before it is compiled: with its variants (`also`), and what its journeys draw. */
export type PreparedDrawn = { readonly sources: readonly LongDocument[]; readonly asked: AskedRequirements };

export type CompiledDrawn = {
  readonly prepared: PreparedDrawn;
  readonly documents: readonly CompiledDocument[];
  readonly findings: Findings;
};

/**
 * Prepares a screen, popup or navigation document for compiling: resolves requirement names, expands journeys, and
 * writes out its variants (`also`).
 */
export function prepareDrawn(source: LongDocument, basis: Basis): PreparedDrawn {
  const asked = newAsked();
  return { sources: withAlso(expandJourneys(basis.resolve(source, asked), basis.journeys)), asked };
}

/**
 * Compiles a prepared screen, popup or navigation document, with its variants; `named` is what other documents provide
 * by name. Gives the compiled documents and what the checks found.
 */
export function compileDrawn(prepared: PreparedDrawn, named: NamedByOthers): CompiledDrawn {
  const findings = { ...newFindings(), requirements: prepared.asked };
  const documents = prepared.sources.flatMap((source): CompiledDocument[] => {
    const context = contextOf(source, named, findings);
    const key = `${source.kind}:${String(source.json.id)}`;
    try {
      const emit = compileDocument(source, context);
      return [{ key, kind: source.kind as CompiledDocument['kind'], source, emit, refers: context.refers }];
    } catch (error) {
      // An unforeseen error holds back this document alone.
      findings.problems.push(source.problem([], `This cannot be compiled: ${(error as Error).message}.`));
      return [];
    }
  });
  return { prepared, documents, findings };
}

import { createHash } from 'node:crypto';
import { findContradictions } from './check/contradiction.ts';
import { checkDocuments, findTakenIds } from './check/documents.ts';
import { checkLanguages } from './check/languages.ts';
import { checkPatterns } from './check/patterns.ts';
import { checkConstantsOfPlaces } from './check/place-values.ts';
import { checkRequestable } from './check/requestable.ts';
import { checkRequirements } from './check/requirement.ts';
import { checkShape } from './check/shape.ts';
import { type Basis, createBasis, isDrawn } from './compile/basis.ts';
import { type CompiledDrawn, compileDrawn, prepareDrawn } from './compile/drawn.ts';
import { type Findings, mergeFindings, newFindings } from './compile/findings.ts';
import { compileNamed, keyOfNamed, type NamedByOthers } from './compile/named-by-others.ts';
import { namesFromOutside } from './compile/route-names.ts';
import { expandDocuments, type LongForms } from './expand/expand.ts';
import type { Loaded } from './load/load.ts';
import type { CommandDeclaration } from './names/command-declaration.ts';
import { Newest } from './names/newest.ts';
import type { Compiled } from './names/pass.ts';
import { type Problem, problemOfAll } from './names/problem.ts';
import { serverTextKeys, textOfCommand } from './names/server-texts.ts';
import type { LongDocument, Source } from './names/source.ts';
import { createTexts, type Texts } from './names/texts.ts';
import { type ComposedBefore, expandParts } from './parts/expand-parts.ts';
import { journeyOf } from './resolve/journeys.ts';
import { withAlso } from './resolve/variants.ts';

export type CompileResult = { readonly compiled: Compiled; readonly problems: readonly Problem[] };

/** Takes the documents of folders through all stages, and again through those that an edit concerns. */
export type Compiler = {
  /**
   * Checks what was read of a folder. While a document is broken in itself, nothing is said of how others fit to it,
   * and nothing is compiled. Whatever goes wrong is a problem of the documents, never the end of the portal.
   */
  check(
    loaded: Loaded,
    commands: readonly CommandDeclaration[],
  ): Promise<{ readonly compiled?: Compiled; readonly problems: readonly Problem[] }>;
  /** Compiles documents without those that are broken in themselves; gives the problems of all. */
  compile(sources: readonly Source[], commands: readonly CommandDeclaration[]): CompileResult;
};

/** One run of the stages, to be taken over by the next: an edit of one screen leaves most of it as it is. */
type Compilation = {
  readonly named: NamedByOthers;
  /** By the document in its long form, without the parts in it. */
  readonly drawn: ReadonlyMap<LongDocument, CompiledDrawn>;
};

/**
 * Makes a compiler. It keeps what the newest runs came to, some 20 MB each, so that an edit that is taken back costs
 * nothing, nor do documents that were good and stand in for broken ones.
 */
export function createCompiler(): Compiler {
  const longForms = new Newest<LongForms>();
  const composed = new Newest<ComposedBefore>();
  const compilations = new Newest<Compilation>();
  const shapes = new WeakMap<LongDocument, readonly Problem[]>();

  const wrongShape = (document: LongDocument): readonly Problem[] => {
    const problems = shapes.get(document) ?? checkShape(document);
    shapes.set(document, problems);
    return problems;
  };
  const causesIn = ({ expansion }: LongDocument): readonly Problem[] => expansion?.cause ?? [];
  const hasShape = (document: LongDocument): boolean =>
    wrongShape(document).length === 0 && causesIn(document).length === 0;

  const expand = (sources: readonly Source[], commands: readonly CommandDeclaration[]): readonly LongDocument[] =>
    expandDocuments(sources, commands, longForms);

  const compile = (documents: readonly LongDocument[], commands: readonly CommandDeclaration[]): CompileResult => {
    // Parts: their nodes and data in place of their uses.
    const {
      sources: written,
      givenOf,
      parts,
      used,
      held,
      problems: wrongUses,
    } = expandParts(documents, hasShape, composed);
    const wrongShapes = [...new Set([...documents, ...written.filter(document => !held.has(document))])].flatMap(
      wrongShape,
    );
    const wrongReferences = documents.flatMap(causesIn);
    const missingTexts = documents.flatMap(({ expansion }) => expansion?.text ?? []);
    const isSound = (document: LongDocument): boolean => !held.has(document) && hasShape(document);
    const sound = written.filter(isSound);

    const key = keyOfNamed({ files: documents, written, commands, givenOf, isSound });
    const before = compilations.find(key);

    // Requirements: what their names mean.
    const basis = before?.named.basis ?? createBasis(sound);

    // Journeys and variants: what they draw.
    const drawn = sound.filter(isDrawn).map(document => {
      const known = before?.drawn.get(givenOf(document));
      return { given: givenOf(document), prepared: known?.prepared ?? prepareDrawn(document, basis), known };
    });
    const others = [...basis.others, ...drawn.flatMap(({ prepared }) => prepared.sources)];

    // Texts: those of all languages.
    const texts = readTexts(sound, basis);

    // Names: what documents can name of the others, compiled.
    const all = written.flatMap(withAlso);
    const named =
      before?.named ?? compileNamed({ basis, sound: others, all, parts, commands, texts: texts.texts.names });

    // Compile: screens, popups and navigation.
    const compiledDrawn = drawn.map(
      ({ given, prepared, known }) => [given, known ?? compileDrawn(prepared, named)] as const,
    );
    compilations.keep(key, { named, drawn: new Map(compiledDrawn) });

    // Check: what is known only when all are compiled.
    const found = mergeFindings([
      texts.findings,
      { ...newFindings(), problems: checkDocuments([...all, ...parts.map(({ source }) => source)], others) },
      named.findings,
      { ...newFindings(), problems: checkRequirements(texts.sources, named.names) },
      { ...newFindings(), problems: checkRequestable(drawn.flatMap(({ prepared }) => prepared.sources)) },
      ...compiledDrawn.map(([, { findings }]) => findings),
    ]);
    const { problems, mentions, requirements } = found;
    checkConstantsOfPlaces(
      found.placeValues,
      namesFromOutside(others.filter(({ kind }) => kind === 'screen')),
      problems,
    );
    problems.push(...findContradictions(found.judged));
    for (const id of used) mentions.part.add(id);
    for (const name of [
      ...texts.texts.area('runtime'),
      ...serverTextKeys,
      ...commands.map(({ name }) => textOfCommand(name)),
    ])
      mentions.text.add(name);

    const { names, catalogues, forms, screenByPattern } = named;
    const layouts = compiledDrawn.flatMap(([, { documents: compiled }]) => compiled);
    const compiled: Compiled = {
      sources: [...written, ...parts.map(({ source }) => source)],
      documents: new Map(layouts.map(document => [document.key, document] as const)),
      ...{ names, catalogues, forms, screenByPattern, mentions, requirements },
      texts: texts.texts,
      journeys: new Map(
        [...basis.journeys].map(([id, source]) => [id, { journey: journeyOf(source), hash: hashOf(source) }] as const),
      ),
    };
    return {
      compiled,
      problems: dedupe([...wrongShapes, ...wrongReferences, ...wrongUses, ...missingTexts, ...problems]),
    };
  };

  return {
    async check({ sources, problems: unread }, commands) {
      if (sources.length === 0 && unread.length === 0)
        return { problems: [problemOfAll('The schemas folder has no documents.')] };
      try {
        const documents = expand(sources, commands);
        const taken = findTakenIds(documents);
        const broken = [
          ...unread,
          ...documents.flatMap(document => {
            const own = taken.get(document);
            return own && !hasShape(document) ? [own] : wrongShape(document);
          }),
        ];
        // Without a file that cannot be read, names lead nowhere that do when it is mended.
        const causes = unread.length > 0 ? [] : documents.flatMap(one => (taken.has(one) ? [] : causesIn(one)));
        if (broken.length + causes.length > 0) return { problems: dedupe([...broken, ...causes]) };
        const { compiled, problems } = compile(documents, commands);
        return { compiled, problems: [...problems, ...(await checkPatterns(documents))] };
      } catch (error) {
        return { problems: [problemOfAll(`The schemas cannot be checked: ${(error as Error).message}.`)] };
      }
    },
    compile: (sources, commands) => compile(expand(sources, commands), commands),
  };
}

/** Reads the documents of texts, with the names of their requirements resolved, and what is wrong in them. */
function readTexts(
  sound: readonly LongDocument[],
  basis: Basis,
): { readonly texts: Texts; readonly sources: readonly LongDocument[]; readonly findings: Findings } {
  const found = newFindings();
  const sources = sound.flatMap(document =>
    document.kind === 'texts' ? [basis.resolve(document, found.requirements)] : [],
  );
  const { texts, written, problems } = createTexts(sources);
  return { texts, sources, findings: { ...found, problems: [...problems, ...checkLanguages(written, sources)] } };
}

/** Tells one version of a document from another, with the parts that stand in it. */
const hashOf = ({ json }: Source): string => createHash('sha256').update(JSON.stringify(json)).digest('base64url');

function dedupe(problems: readonly Problem[]): Problem[] {
  const seen = new Map<string, Problem>();
  for (const problem of problems)
    seen.set(`${problem.file}:${problem.line}:${problem.column}:${problem.message}`, problem);
  return [...seen.values()];
}

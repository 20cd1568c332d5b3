import { createHash } from 'node:crypto';
import { findContradictions } from '../check/contradiction.ts';
import { checkDocuments } from '../check/documents.ts';
import { checkLanguages } from '../check/languages.ts';
import { checkPlaceValues } from '../check/place-values.ts';
import { checkRequirements } from '../check/requirement.ts';
import { checkShape } from '../check/shape.ts';
import { expandDocuments } from '../expand/expand.ts';
import type { CommandDeclaration } from '../names/command-declaration.ts';
import { Newest } from '../names/newest.ts';
import type { Compiled } from '../names/pass.ts';
import type { Problem } from '../names/problem.ts';
import { serverTextKeys } from '../names/server-texts.ts';
import type { Source } from '../names/source.ts';
import { createTexts } from '../names/texts.ts';
import { expandParts } from '../parts/expand-parts.ts';
import { journeyOf } from '../resolve/journeys.ts';
import { withAlso } from '../resolve/variants.ts';
import { createBasis, isDrawn } from './basis.ts';
import { type CompiledDrawn, compileDrawn, prepareDrawn } from './drawn.ts';
import { mergeFindings, newFindings } from './findings.ts';
import { compileNamed, keyOfNamed, type NamedByOthers } from './named-by-others.ts';
import { namesFromOutside } from './route-names.ts';

export type CompileResult = { readonly compiled: Compiled; readonly problems: readonly Problem[] };

type Compilation = {
  readonly named: NamedByOthers;
  /** By the document as it was given. */
  readonly drawn: ReadonlyMap<Source, CompiledDrawn>;
};

/**
 * The newest compilations: an edit of one screen leaves most of one as it is, and where an edit is taken back, or
 * documents that were good stand in for broken ones, there is one already.
 */
const newest = new Newest<Compilation>();

/** Tells one version of a document from another, with the parts that stand in it. */
const hashOf = ({ json }: Source): string => createHash('sha256').update(JSON.stringify(json)).digest('base64url');

/**
 * Compiles all documents in five phases (long form, shape, parts, names, references and values); gives the result and
 * the problems. Documents with a wrong shape are left out of later phases. An unchanged screen, popup or menu is
 * compiled again only when something it refers to has changed.
 */
export function compile(given: readonly Source[], commands: readonly CommandDeclaration[]): CompileResult {
  const files = expandDocuments(given, commands);
  const {
    sources: written,
    givenOf,
    parts,
    used,
    held,
    problems: wrongUses,
  } = expandParts(files, source => checkShape(source).length === 0);
  const wrongShapes = [...new Set([...files, ...written.filter(source => !held.has(source))])].flatMap(checkShape);
  const isSound = (source: Source): boolean => !held.has(source) && checkShape(source).length === 0;
  const whole = written.filter(isSound);
  const key = keyOfNamed({ files, written, commands, givenOf, isSound });
  const known = newest.find(key);

  const basis = known?.named.basis ?? createBasis(whole);
  const drawn = whole.filter(isDrawn).map(source => {
    const before = known?.drawn.get(givenOf(source));
    return { given: givenOf(source), prepared: before?.prepared ?? prepareDrawn(source, basis), before };
  });
  const ofTexts = newFindings();
  const textSources = whole.flatMap(source =>
    source.kind === 'texts' ? [basis.resolve(source, ofTexts.requirements)] : [],
  );
  const { texts, written: languages, problems: textProblems } = createTexts(textSources);
  const sources = written.flatMap(withAlso);
  const sound = [...basis.others, ...drawn.flatMap(({ prepared }) => prepared.sources)];
  const named = known?.named ?? compileNamed({ basis, sound, all: sources, parts, commands, texts: texts.names });
  const compiledDrawn = drawn.map(
    ({ given: own, prepared, before }) => [own, before ?? compileDrawn(prepared, named)] as const,
  );
  newest.keep(key, { named, drawn: new Map(compiledDrawn) });

  const { problems, mentions, judged, placeValues, requirements } = mergeFindings([
    { ...ofTexts, problems: [...textProblems, ...checkLanguages(languages, textSources)] },
    { ...newFindings(), problems: checkDocuments([...sources, ...parts.map(({ source }) => source)], sound) },
    named.findings,
    { ...newFindings(), problems: checkRequirements(textSources, named.names) },
    ...compiledDrawn.map(([, { findings }]) => findings),
  ]);
  checkPlaceValues(placeValues, namesFromOutside(sound.filter(({ kind }) => kind === 'screen')), problems);
  problems.push(...findContradictions(judged));
  for (const id of used) mentions.part.add(id);
  for (const name of [...texts.area('runtime'), ...serverTextKeys]) mentions.text.add(name);
  const { names, catalogues, forms, screenByPattern } = named;
  return {
    compiled: {
      sources: [...written, ...parts.map(({ source }) => source)],
      documents: new Map(
        compiledDrawn.flatMap(([, { documents }]) => documents.map(document => [document.key, document] as const)),
      ),
      ...{ names, texts, catalogues, forms, screenByPattern, mentions, requirements },
      journeys: new Map(
        [...basis.journeys].map(([id, source]) => [id, { journey: journeyOf(source), hash: hashOf(source) }] as const),
      ),
    },
    problems: dedupe([...wrongShapes, ...wrongUses, ...problems]),
  };
}

function dedupe(problems: readonly Problem[]): Problem[] {
  const seen = new Map<string, Problem>();
  for (const problem of problems)
    seen.set(`${problem.file}:${problem.line}:${problem.column}:${problem.message}`, problem);
  return [...seen.values()];
}

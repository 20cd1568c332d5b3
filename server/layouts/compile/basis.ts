import type { AskedRequirements, RequirementNames } from '../names/scope.ts';
import type { LongDocument, Source } from '../names/source.ts';
import { withSharedBody } from '../resolve/journeys.ts';
import { createRequirementNames, resolveRequirements } from '../resolve/requirement-names.ts';
import { withAlso } from '../resolve/variants.ts';
import { newAsked } from './findings.ts';

/** What must be known before the names of all documents can be. */
export type Basis = {
  readonly requirements: RequirementNames;
  readonly access: LongDocument | undefined;
  /** By their ids. */
  readonly journeys: ReadonlyMap<string, LongDocument>;
  /** The documents that others name, with the names of their requirements resolved. */
  readonly others: readonly LongDocument[];
  /** The requirements of these. */
  readonly asked: AskedRequirements;
  /** A document with the names of its requirements resolved; they are added to `asked`. */
  resolve(source: LongDocument, asked: AskedRequirements): LongDocument;
};

/**
 * True for documents that are drawn in the browser: screens, popups and navigation. Others (operations, forms,
 * journeys, texts) are only referred to by name.
 */
export const isDrawn = ({ kind }: Source): boolean => kind === 'screen' || kind === 'popup' || kind === 'navigation';

/**
 * Resolves requirement names and collects the documents that others refer to by name (operations, forms, journeys),
 * before anything is compiled.
 * @param whole documents without mistakes in their shape
 */
export function createBasis(whole: readonly LongDocument[]): Basis {
  const asked = newAsked();
  const access = whole.find(source => source.kind === 'access');
  const requirements = createRequirementNames(access, asked);
  const resolve: Basis['resolve'] = (source, into) => resolveRequirements(source, requirements.resolver(into));
  const others = whole
    .filter(source => !isDrawn(source) && source.kind !== 'texts')
    .map(source => resolve(source, asked))
    .flatMap(withAlso);
  const journeys = new Map(
    others.flatMap(source =>
      source.kind === 'journey' ? [[String(source.json.id), withSharedBody(source)] as const] : [],
    ),
  );
  return { requirements, access, journeys, others, asked, resolve };
}

import type { UserType } from '../../../shared/contract/boot.ts';
import { portalCalls } from '../../../shared/language/operation.ts';
import type { Requirement } from '../../../shared/language/types.ts';
import type { Principal } from '../../access/principal.ts';
import { decide } from '../../access/requirement.ts';
import { namedInRequirements, principalsWith } from '../check/principals.ts';
import { marksIn } from '../check/requestable.ts';
import type { CallerFacts, Compiled, CompiledDocument, Lead } from '../names/pass.ts';
import { listOf, type Problem } from '../names/problem.ts';
import { checkServerTexts } from '../names/server-texts.ts';
import type { LongDocument } from '../names/source.ts';
import { defaultLanguage, placeOfTexts } from '../names/texts.ts';
import { withAlso } from '../resolve/variants.ts';
import { createFollower } from './follow-documents.ts';
import { emitDocument, type Result, reach, referringIn } from './trim.ts';

/**
 * Makes principals with every right, of each user type and currency, switched and jumped and not: together they see all
 * that anyone could. Features are all on, all off, and as each requirement with `not` wants them.
 */
export function fullestPrincipals({ names, requirements }: Compiled): Principal[] {
  const { all } = requirements;
  const without = all.map(requirement => namedInRequirements([requirement]).off).filter(off => off.size > 0);
  const lists = [[...names.features], [], ...without.map(off => [...names.features].filter(name => !off.has(name)))];
  const distinct = [...new Map(lists.map(on => [on.join(), on])).values()];
  return principalsWith(names, distinct, namedInRequirements(all));
}

/** Who lacks what a marked part requires, and nothing else, gets what stands in its place. */
function askers({ documents }: Compiled, principals: readonly Principal[]): Principal[] {
  const marked = [...documents.values()].flatMap(({ source }) => marksIn(source).map(({ requires }) => requires));
  const distinct = [...new Map(marked.map(requires => [JSON.stringify(requires), requires])).values()];
  return distinct.flatMap(requires => {
    const { views, permissions, keys } = namedInRequirements([requires]);
    // Whoever is refused with every right cannot ask for what is missing.
    const able = principals.filter(principal => decide(requires, principal).met);
    return able.map(principal => ({
      ...principal,
      views: principal.views.filter(name => !views.has(name)),
      permissions: principal.permissions.filter(name => !permissions.has(name)),
      prices: principal.prices && !keys.has('prices'),
    }));
  });
}

/** The documents that have marked parts, and all that others lead to: of the rest, askers have no more than others. */
function whatMayAsk(compiled: Compiled): Compiled {
  const referring = referringIn(compiled);
  const asking = [...compiled.documents].filter(
    ([key, { source }]) => referring.has(key) || marksIn(source).length > 0,
  );
  return { ...compiled, documents: new Map(asking) };
}

/** Operations that the portal's own answers are made from. */
const byPortal = new Set<string>(Object.values(portalCalls).flat());

/**
 * Finds documents that nothing leads to, screens that nobody can open, actions that lead nowhere for those who see
 * them, and texts that the server lacks.
 */
export function checkReach(compiled: Compiled): Problem[] {
  const { sources } = compiled;
  const problems: Problem[] = [];
  const fullest = fullestPrincipals(compiled);
  const { reached, nowhere, dataless } = followAll([
    { compiled, principals: fullest },
    { compiled: whatMayAsk(compiled), principals: askers(compiled, fullest) },
  ]);
  const warn = (source: LongDocument, at: (string | number)[], message: string) =>
    problems.push(source.problem(at, message, 'warning'));
  const { names } = compiled;
  const bodies = new Set([...names.bodies, ...[...names.commands.values()].map(({ body }) => body)]);
  const answers = new Set([...names.operations.values()].map(({ hostedPage }) => hostedPage));
  for (const source of sources.flatMap(withAlso)) {
    const id = String(source.json.id);
    if (source.kind === 'screen' && !reached.has(`screen:${id}`))
      problems.push(source.problem(['requires'], 'Nobody can reach this screen.'));
    if (source.kind === 'popup' && !compiled.mentions.popup.has(id))
      warn(source, ['id'], `Nothing opens the popup "${id}".`);
    else if (source.kind === 'popup' && !reached.has(`popup:${id}`))
      problems.push(source.problem(['id'], `Nobody can reach the popup "${id}".`));
    if (source.kind === 'form' && !compiled.mentions.form.has(id) && !bodies.has(id))
      warn(source, ['id'], `Nothing uses the form "${id}".`);
    if (source.kind === 'part' && !compiled.mentions.part.has(id))
      warn(source, ['id'], `Nothing uses the part "${id}".`);
    if (source.kind === 'journey' && !compiled.mentions.journey.has(id))
      warn(source, ['id'], `No wizard starts the journey "${id}".`);
    if (source.kind === 'catalogue' && !compiled.mentions.catalogue.has(id))
      warn(source, ['id'], `Nothing uses the catalogue "${id}".`);
    if (source.kind === 'operations') {
      for (const name of Object.keys(source.json.operations as object))
        if (!compiled.mentions.operation.has(name) && !byPortal.has(name) && !answers.has(name))
          warn(source, ['operations', name], `Nothing calls the operation "${name}".`);
    }
    if (source.kind === 'access') {
      for (const name of Object.keys((source.json.requirements as object | undefined) ?? {}))
        if (!compiled.requirements.used.has(name))
          warn(source, ['requirements', name], `Nothing uses the requirement "${name}".`);
    }
    const texts = source.kind === 'texts' ? placeOfTexts(source.file) : undefined;
    // Of other languages it is checked that they have no others.
    if (texts?.language === defaultLanguage) {
      for (const name of Object.keys(source.json)) {
        const key = `${texts.area}.${name.replace(/_(zero|one|two|few|many|other)$/, '')}`;
        if (name !== '$schema' && !compiled.mentions.text.has(key))
          warn(source, [name], `Nothing uses the text "${key}".`);
      }
    }
  }
  for (const [{ source }, types] of dataless)
    warn(source, ['requires'], `Who is of type ${listOf([...types])} may open this, and none of its data is theirs.`);
  problems.push(...checkServerTexts(compiled.texts, sources));
  for (const lead of nowhere)
    problems.push(lead.source.problem(lead.at, `Nobody who may see this can reach ${lead.target}.`));
  return problems;
}

type Followed = {
  readonly reached: ReadonlySet<string>;
  readonly nowhere: readonly Lead[];
  /** Screens that show data to others, each with the types of users who may open it and get none. */
  readonly dataless: ReadonlyMap<CompiledDocument, ReadonlySet<UserType>>;
};
/** The popups that a document opens, whether it has data, and its leads with whether each target is there. */
type DocumentReach = Pick<Result, 'uses'> & { readonly hasData: boolean; readonly leads: ReadonlyMap<Lead, boolean> };

/**
 * Gives the keys of the documents that at least one of these principals reaches, and the links and actions that lead
 * nowhere for all who see them.
 */
function followAll(rounds: readonly { compiled: Compiled; principals: readonly Principal[] }[]): Followed {
  const followed = new Set<DocumentReach>();
  const reached = new Set<string>();
  const byType = new Map<CompiledDocument, { let: Set<UserType>; given: Set<UserType> }>();
  for (const { compiled, principals } of rounds) {
    // What texts say leads nowhere.
    const wordless: Compiled = { ...compiled, texts: { ...compiled.texts, resolve: () => '' } };
    const reachOf = createFollower(compiled, (document, caller) => follow(wordless, document, caller));
    const screens = [...compiled.documents.values()].filter(({ kind }) => kind === 'screen');
    for (const principal of principals) {
      const { results, meets } = reachOf(principal);
      for (const key of reach(compiled, results).keys()) reached.add(key);
      for (const result of results.values()) followed.add(result);
      for (const document of screens) {
        if (!meets(document.source.json.requires as Requirement)) continue;
        const types = byType.get(document) ?? { let: new Set(), given: new Set() };
        byType.set(document, types);
        types.let.add(principal.type);
        if (results.get(document.key)?.hasData) types.given.add(principal.type);
      }
    }
  }
  const seen = new Map<Lead, boolean>();
  for (const { leads } of followed) for (const [lead, there] of leads) seen.set(lead, there || seen.get(lead) === true);
  const dataless = [...byType].flatMap(([document, types]) => {
    const without = [...types.let].filter(type => !types.given.has(type));
    return types.given.size > 0 && without.length > 0 ? [[document, new Set(without)] as const] : [];
  });
  return {
    ...{ reached, dataless: new Map(dataless) },
    nowhere: [...seen].flatMap(([lead, there]) => (there ? [] : [lead])),
  };
}

function follow(compiled: Compiled, document: CompiledDocument, caller: CallerFacts): DocumentReach | undefined {
  const leads = new Map<Lead, boolean>();
  const result = emitDocument(compiled, document, caller, { lead: (lead, there) => leads.set(lead, there) });
  if (!result) return undefined;
  const hasData = result.uses.some(({ kind }) => kind === 'source');
  return { uses: result.uses.filter(({ kind }) => kind === 'popup'), hasData, leads };
}

import { describeRequirement } from '../../../server/access/describe-requirement.ts';
import { fieldOf, followNames, requirementsOf } from '../../../server/layouts/names/contract.ts';
import type { Compiled } from '../../../server/layouts/names/pass.ts';
import { type Explanation, explain } from '../../../server/layouts/trim/explain.ts';
import type { Requirement } from '../../../shared/language/types.ts';
import { allFacts, type Fact } from './collect-facts.ts';
import type { Change } from './compare-folders.ts';
import type { Role } from './generate-principals.ts';

/** One version of the documents with what explains it; explaining is slow, so each answer is remembered. */
type Side = {
  readonly compiled: Compiled;
  /** What the documents have, whoever may have it. */
  readonly all: ReturnType<typeof allFacts>;
  explain(role: Role, document: string): Explanation;
};

function createSide(compiled: Compiled): Side {
  const explanations = new Map<string, Explanation>();
  return {
    compiled,
    all: allFacts(compiled),
    explain(role, document) {
      const key = `${role.name} ${document}`;
      const known = explanations.get(key) ?? explain(compiled, role.principal, document);
      explanations.set(key, known);
      return known;
    },
  };
}

/** Writes where a fact is declared, as `file:line:column`. */
export const placeOf = ({ source, at }: Pick<Fact, 'source' | 'at'>): string => {
  const { file, line, column } = source.problem(at, '');
  return `${file}:${line}:${column}`;
};

const asked = ({ names }: Compiled, requirement: Requirement | undefined): string =>
  requirement === undefined ? 'nothing' : describeRequirement(requirement, names.requirements.nameOf);

/** Why the caller has a part on one side, or why not: the requirement as `explain` says it. */
function verdictOf(side: Side, role: Role, document: string, fact: Fact): string {
  const { verdicts } = side.explain(role, document);
  const root = placeOf({ source: side.compiled.documents.get(document)?.source ?? fact.source, at: [] });
  const place = fact.kind === 'document' ? root : placeOf(fact);
  // A part within one that is trimmed is not judged at all.
  const decided = verdicts.find(one => one.place === place) ?? verdicts.find(one => one.place === root && !one.kept);
  if (!decided) return 'what holds it is not there';
  if (decided.kept) return decided.because.length === 0 ? 'asks for nothing' : `asks for ${decided.because.join('; ')}`;
  return decided.because.join('; ');
}

/** What a caller must hold to have a field of a reply. */
function ruleOfField(compiled: Compiled, { name, of }: Fact): string {
  const contract = compiled.names.contracts.get(of);
  const field = contract && followNames(fieldOf(contract), name.split('.'));
  const rules = typeof field === 'object' ? requirementsOf(field) : [];
  return rules.length === 0 ? 'nothing' : rules.map(rule => asked(compiled, rule)).join('; ');
}

/** What differs in the declaration that a fact other than a node comes from. */
function declarationOf({ compiled }: Side, fact: Fact): string | undefined {
  const operation = fact.of.split(' ')[0] as string;
  const { operations, commands, forms } = compiled.names;
  switch (fact.kind) {
    case 'call': {
      const declared = operations.get(operation);
      return declared && `${declared.method} ${declared.path}, asking for ${asked(compiled, declared.requires)}`;
    }
    case 'command':
      return commands.has(fact.name) ? `asking for ${asked(compiled, commands.get(fact.name)?.requires)}` : undefined;
    case 'field':
      return operations.has(operation) ? `asking for ${ruleOfField(compiled, { ...fact, of: operation })}` : undefined;
    case 'input':
      return forms.get(fact.of)?.names.includes(fact.name) ? 'in the form' : undefined;
    case 'parameter': {
      const { with: declared = {}, own = {} } = operations.get(operation) ?? {};
      if (!Object.hasOwn(declared, fact.name)) return undefined;
      return own[fact.name] ? `set by the server for ${own[fact.name]?.userTypes.join(', ')}` : 'set by the caller';
    }
    default:
      return undefined;
  }
}

/**
 * Makes a function that gives the reason of a change between two versions of the documents, as one of the callers
 * concerned meets it.
 */
export function createExplainChange(before: Compiled, after: Compiled): (change: Change) => string {
  const [old, now] = [createSide(before), createSide(after)];
  return ({ gained, document, fact, roles }) => {
    const [role] = roles;
    if (!role) return '';
    const [having, lacking] = gained ? [now, old] : [old, now];
    const word = gained ? 'new' : 'removed';
    if (!lacking.compiled.documents.has(document)) return `the document is ${word}`;
    if (fact.kind === 'node' || fact.kind === 'document') {
      const verdict = verdictOf(having, role, document, fact);
      const other = lacking.all
        .get(document)
        ?.get(fact.kind === 'node' ? `node  ${fact.name}` : `document  ${fact.name}`);
      if (!other) return `${word}; ${verdict}`;
      const refusal = verdictOf(lacking, role, document, other);
      return gained ? `before: ${refusal}; now: ${verdict}` : `before: ${verdict}; now: ${refusal}`;
    }
    const [declared, undeclared] = [declarationOf(having, fact), declarationOf(lacking, fact)];
    if (undeclared === undefined) return `${word}: ${declared ?? ''}`;
    if (declared !== undefined && declared !== undeclared)
      return gained ? `before: ${undeclared}; now: ${declared}` : `before: ${declared}; now: ${undeclared}`;
    return gained ? 'used here now' : 'was used here';
  };
}

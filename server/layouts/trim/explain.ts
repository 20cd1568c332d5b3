import type { Requirement } from '../../../shared/language/types.ts';
import { describeRequirement } from '../../access/describe-requirement.ts';
import type { Principal } from '../../access/principal.ts';
import { decide } from '../../access/requirement.ts';
import type { Contract } from '../names/contract.ts';
import type { Compiled, Part } from '../names/pass.ts';
import { callerFacts, type Observer } from '../names/pass.ts';
import { emitDocument, emitUntilStable, type Result } from './trim.ts';

/** What became of one part of a document for one caller. */
export type Verdict = {
  /** File, line and column. */
  readonly place: string;
  /** How deep it stands in the document. */
  readonly depth: number;
  readonly name: string;
  readonly kept: boolean;
  /** Of a part that is kept every requirement that it met; of one that is not, the one that decided. */
  readonly because: readonly string[];
};

export type Explanation = {
  readonly verdicts: readonly Verdict[];
  /** Absent where the document is not there for the caller. */
  readonly result?: Result;
};

/** Which declaration a requirement belongs to; a part's own is not among them. */
function ownersOf({ names }: Compiled): Map<Requirement, string> {
  const owners = new Map<Requirement, string>();
  for (const [name, { requires }] of names.operations) if (requires) owners.set(requires, `operation ${name}`);
  for (const [name, contract] of names.contracts) nameFields(contract, '', name, owners);
  for (const [name, { requires }] of names.commands) if (requires) owners.set(requires, `command ${name}`);
  return owners;
}

function nameFields(contract: Contract, path: string, operation: string, owners: Map<Requirement, string>): void {
  for (const needed of contract.requires) owners.set(needed, `field ${path} of ${operation}`);
  if (contract.type === 'list' || contract.type === 'map') nameFields(contract.item, path, operation, owners);
  if (contract.type !== 'record') return;
  for (const [name, field] of contract.fields)
    nameFields(field, path === '' ? name : `${path}.${name}`, operation, owners);
}

const naming = ['id', 'testId', 'text', 'title', 'label', 'propertyName', 'operation', 'path', 'to'];

/** What one would call a part: its type, and the first thing that tells it from others. */
function nameOf({ value, at }: Part): string {
  const own = naming.map(key => value[key]).find(item => typeof item === 'string');
  const kind =
    typeof value.type === 'string' ? value.type : String(at.findLast(part => typeof part === 'string') ?? 'document');
  return own === undefined ? kind : `${kind} ${own}`;
}

/**
 * Trims one document for a caller and says of each of its nodes whether it is kept, and which requirement decided.
 * @param key `screen:<id>`, `popup:<id>` or `navigation:<id>`
 */
export function explain(
  compiled: Compiled,
  principal: Principal,
  key: string,
  asked: ReadonlySet<string> = new Set(),
): Explanation {
  const document = compiled.documents.get(key);
  if (!document) return { verdicts: [] };
  const there = emitUntilStable(compiled, principal, emitDocument);
  const dead = new Set([...compiled.documents.keys()].filter(one => one !== key && !there.has(one)));
  const caller = callerFacts(principal, dead);
  const owners = ownersOf(compiled);
  const verdicts = new Map<string, Verdict>();
  const open: { readonly part: Part; readonly key: string; readonly met: Set<string> }[] = [];
  let refusal = '';
  const refuse = (why: string) => {
    refusal = why;
  };
  const depth = () => open.filter(({ part }) => part.isUnit).length;
  const observer: Observer = {
    part(part) {
      const place = placeOf(part);
      // A form document may stand in two places, and a part that was evaluated twice is told once.
      const own = `${open.at(-1)?.key ?? ''} ${part.source.file} ${part.at.join('/')}`;
      if (part.isUnit && !verdicts.has(own))
        verdicts.set(own, { place, depth: depth(), name: nameOf(part), kept: true, because: [] });
      open.push({ part, key: own, met: new Set() });
    },
    partDone(kept) {
      const { key: own, met } = open.pop() as (typeof open)[number];
      const verdict = verdicts.get(own);
      if (verdict) verdicts.set(own, { ...verdict, kept, because: kept ? [...met] : [refusal] });
      else if (kept) for (const one of met) open.at(-1)?.met.add(one);
    },
    missing: what => refuse(`${what} is not there`),
    emptied({ source, at }) {
      refuse(`nothing is left of it (${refusal})`);
      const list = `${open.at(-1)?.key ?? ''} ${source.file} ${at.join('/')}/`;
      for (const [own, verdict] of verdicts)
        if (own.startsWith(list) && verdict.kept)
          verdicts.set(own, { ...verdict, kept: false, because: ['it only goes along with others'] });
    },
  };
  /** Why a document that this one leads to is not there; those that lead to each other are asked once. */
  function whyNot(other: string): string {
    const around = new Set([...asked, key]);
    if (around.has(other)) return '';
    const root = explain(compiled, principal, other, around).verdicts.find(
      verdict => verdict.depth === 0 && !verdict.kept,
    );
    return root ? `: ${root.because.join('; ')}` : '';
  }
  const result = emitDocument(
    compiled,
    document,
    {
      type: caller.type,
      locale: caller.locale,
      meets(requirement) {
        if (!requirement) return true;
        const outcome = decide(requirement, principal);
        const owner = owners.get(requirement);
        const said = `${owner ? `${owner}: ` : ''}${describeRequirement(requirement, compiled.names.requirements.nameOf)}`;
        if (outcome.met) open.at(-1)?.met.add(said);
        else refuse(`${said} (${outcome.because})`);
        return outcome.met;
      },
      mayAsk: caller.mayAsk,
      lacks(other) {
        const isDead = caller.lacks(other);
        if (isDead) refuse(`the ${other.replace(':', ' ')} is not there${whyNot(other)}`);
        return isDead;
      },
    },
    observer,
  );
  return { verdicts: [...verdicts.values()], ...(result && { result }) };
}

function placeOf({ source, at }: Part): string {
  const { file, line, column } = source.problem(at, '');
  return `${file}:${line}:${column}`;
}

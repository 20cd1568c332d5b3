import type { Principal } from '../../../server/access/principal.ts';
import type {
  CallerFacts,
  Compiled,
  CompiledDocument,
  Observer,
  Part,
  Use,
} from '../../../server/layouts/names/pass.ts';
import { TrimPass } from '../../../server/layouts/names/pass.ts';
import type { Pointer, Source } from '../../../server/layouts/names/source.ts';
import { defaultLanguage } from '../../../server/layouts/names/texts.ts';
import { memoiseByQuestions } from '../../../server/layouts/trim/memoise-by-questions.ts';
import { emitUntilStable, reach } from '../../../server/layouts/trim/trim.ts';

export type FactKind = 'document' | 'node' | 'call' | 'command' | 'field' | 'parameter' | 'input';

/** Something that a caller has by one document: the document, a node of it, a call, or a field that goes in or out. */
export type Fact = {
  readonly kind: FactKind;
  /** Of a node its path of names, else the name. */
  readonly name: string;
  /** The operation, command or form that a field, parameter or input belongs to. */
  readonly of: string;
  readonly source: Source;
  readonly at: Pointer;
};

/** By key; two versions of documents have the same fact under the same key. */
export type Facts = ReadonlyMap<string, Fact>;

type Emitted = { readonly uses: readonly Use[]; readonly nodes: readonly Fact[]; readonly facts: readonly Fact[] };

const keyOf = ({ kind, name, of }: Fact): string => `${kind} ${of} ${name}`;

const naming = ['id', 'propertyName', 'text', 'title', 'label', 'operation', 'path', 'to'];

/** What one would call a part: its type, and the first thing that tells it from others. */
function nameOf({ value, at }: Part): string {
  if (at[0] === 'data' && at.length === 2) return `data source ${at[1]}`;
  const type = typeof value.type === 'string' ? value.type : String(at.findLast(step => typeof step === 'string'));
  const own = naming.map(key => value[key]).find(item => typeof item === 'string');
  return own === undefined ? type : `${type} ${own}`;
}

/** Gathers what one pass over a document keeps, and which part each of its uses belongs to. */
function createRecorder(pass: () => TrimPass, document: CompiledDocument) {
  let nodes: Fact[] = [];
  const owners: Fact[] = [];
  const open: { readonly fact: Fact; readonly part: Part; readonly start: number }[] = [];
  const named = new Map<string, string>();
  const { key, source } = document;
  const root: Fact = { kind: 'document', name: key, of: '', source, at: source.json.requires ? ['requires'] : [] };
  const own = (fact: Fact): void => {
    const { length } = pass().uses;
    owners.length = Math.min(owners.length, length);
    while (owners.length < length) owners.push(fact);
  };
  /** A test id is a name of its own wherever the node stands; others are named by where they stand. */
  const nameUnder = (parent: Fact, part: Part): string => {
    const { testId } = part.value;
    const place = `${parent.name} ${part.source.file} ${part.at.join('/')}`;
    const known = named.get(place);
    if (known !== undefined) return known;
    const type = nameOf(part).split(' ')[0];
    const plain =
      typeof testId === 'string'
        ? `${type} ${testId}`
        : `${parent.kind === 'node' ? `${parent.name} › ` : ''}${nameOf(part)}`;
    const taken = [...named.values()].filter(name => name === plain || name.startsWith(`${plain} #`)).length;
    const name = taken === 0 ? plain : `${plain} #${taken + 1}`;
    named.set(place, name);
    return name;
  };
  const observer: Observer = {
    part(part) {
      const parent = open.at(-1)?.fact ?? root;
      own(parent);
      if (open.length === 0) nodes = [];
      const isNode = part.isUnit && open.length > 0;
      const fact: Fact = isNode
        ? { kind: 'node', name: nameUnder(parent, part), of: '', source: part.source, at: part.at }
        : parent;
      open.push({ fact, part, start: nodes.length });
      if (isNode) nodes.push(fact);
    },
    partDone(kept) {
      const { fact, start } = open.pop() as (typeof open)[number];
      own(fact);
      if (!kept) nodes.length = start;
    },
    emptied({ source, at }) {
      const list = `${source.file} ${at.join('/')}/`;
      nodes = nodes.filter(node => !`${node.source.file} ${node.at.join('/')}/`.startsWith(list));
    },
  };
  return {
    observer,
    finish: () => {
      own(root);
      return { root, nodes, owners };
    },
  };
}

function emitFacts(compiled: Compiled, document: CompiledDocument, caller: CallerFacts): Emitted | undefined {
  let pass: TrimPass;
  const recorder = createRecorder(() => pass, document);
  pass = new TrimPass(compiled, caller, recorder.observer);
  try {
    if (document.emit(pass) === undefined) return undefined;
  } catch {
    return undefined;
  }
  const { root, nodes, owners } = recorder.finish();
  const facts = pass.uses.flatMap((use, index) => factsOfUse(compiled, use, owners[index] ?? root));
  return { uses: pass.uses, nodes, facts: [root, ...facts] };
}

/** A call is where it goes: under the same name, another address is another call. */
function factsOfUse({ names }: Compiled, use: Use, { source, at }: Fact): Fact[] {
  const place = { source, at };
  switch (use.kind) {
    case 'source':
    case 'file':
    case 'write': {
      const { method, path, service = '' } = names.operations.get(use.operation) ?? { method: '', path: '' };
      return [{ kind: 'call', name: `${method} ${path}`, of: `${use.operation} (${service})`, ...place }];
    }
    case 'command':
      return [{ kind: 'command', name: use.command, of: '', ...place }];
    case 'read':
      return [{ kind: 'field', name: use.path, of: use.operation, ...place }];
    case 'field':
      return [{ kind: 'input', name: use.name, of: use.form, ...place }];
    default:
      return [];
  }
}

/** Parameters that a caller may set itself, of the calls among some facts. */
function parametersOf({ names }: Compiled, { type }: Principal, facts: readonly Fact[]): Fact[] {
  return facts.flatMap(({ kind, of, source, at }) => {
    if (kind !== 'call') return [];
    const operation = of.split(' ')[0] as string;
    const { with: declared = {}, own = {} } = names.operations.get(operation) ?? {};
    const free = Object.keys(declared).filter(name => !own[name]?.userTypes.includes(type));
    return free.map((name): Fact => ({ kind: 'parameter', name, of: operation, source, at }));
  });
}

/**
 * Makes a function that gives what a principal gets from each document: facts are the document itself, its nodes,
 * calls, and the fields that go in or out; by the document's key.
 */
export function createFacts(compiled: Compiled): (principal: Principal) => ReadonlyMap<string, Facts> {
  const runs = new Map(
    [...compiled.documents].map(([key, document]) => [
      key,
      memoiseByQuestions(caller => emitFacts(compiled, document, caller)),
    ]),
  );
  return principal => {
    const results = emitUntilStable(compiled, principal, (_, { key }, caller) => runs.get(key)?.(caller));
    return new Map(
      [...reach(compiled, results)].map(([key, { nodes, facts }]) => {
        const all = [...facts, ...nodes, ...parametersOf(compiled, principal, facts)];
        return [key, new Map(all.reverse().map(fact => [keyOf(fact), fact]))];
      }),
    );
  };
}

/** Gives the facts (see `Fact`) of every document as if a caller had every right. */
export function allFacts(compiled: Compiled): ReadonlyMap<string, Facts> {
  const everybody: CallerFacts = {
    type: 'reseller',
    locale: defaultLanguage,
    meets: () => true,
    mayAsk: () => false,
    lacks: () => false,
  };
  return new Map(
    [...compiled.documents].map(([key, document]) => {
      const { nodes, facts } = emitFacts(compiled, document, everybody) ?? { nodes: [], facts: [] };
      return [key, new Map([...facts, ...nodes].map(fact => [keyOf(fact), fact]))];
    }),
  );
}

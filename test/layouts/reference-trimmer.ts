import type { Principal } from '../../server/access/principal.ts';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import type { Json, SchemaSet } from '../fixtures/schemas.ts';
import { joinedList } from './drawn-set.ts';

// The rules of trimming once more, in the most naive way: on the documents as they are written, over and over until
// nothing changes. Shares nothing with server/layouts.

/** What a caller has: pruned documents by key, and what these use. */
export type Expected = {
  readonly documents: ReadonlyMap<string, Json>;
  readonly landing: string;
  readonly reads: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  readonly commands: ReadonlySet<string>;
  /** `operation path` of every field that is read. */
  readonly paths: ReadonlySet<string>;
  /** Fields that the form of the set's calls takes. */
  readonly fields: ReadonlySet<string>;
};

type Seen = {
  paths: Set<string>;
  sources: Set<string>;
  files: Set<string>;
  writes: Set<string>;
  commands: Set<string>;
  popups: Set<string>;
  fields: Set<string>;
};
type At = {
  sources: Record<string, Json>;
  row?: string;
  list?: string;
  reply?: string;
  initial?: string;
  tables: Set<string>;
};

const list = (value: unknown): Json[] => (value ?? []) as Json[];
const object = (value: unknown): Json => (value ?? {}) as Json;

function isMet(requirement: unknown, who: Principal, named: Json): boolean {
  if (requirement === undefined) return true;
  if (typeof requirement === 'string') return named[requirement] !== undefined && isMet(named[requirement], who, named);
  return Object.entries(object(requirement)).every(([key, wanted]) => {
    if (key === 'prices') return who.prices;
    if (key === 'switched') return who.switched === wanted;
    if (key === 'jumped') return (who.facts.actor !== undefined) === wanted;
    const names = wanted as string[];
    if (key === 'previousTypes') return who.switched && names.includes(String(who.previousType));
    if (key === 'any') return list(wanted).some(part => isMet(part, who, named));
    if (key === 'all') return list(wanted).every(part => isMet(part, who, named));
    if (key === 'not') return !isMet(wanted, who, named);
    if (key === 'userTypes') return names.includes(who.type);
    if (key === 'systems') return names.some(name => who.systems?.some(system => system === name) ?? false);
    const held = key === 'views' ? who.views : key === 'features' ? who.features : who.permissions;
    return names.some(name => held.includes(name));
  });
}

export function expectedFor(set: SchemaSet, commands: readonly CommandDeclaration[], who: Principal): Expected {
  const operations = set.operations ?? {};
  const form = object(set.forms?.[0]);
  const meets = (requirement: unknown, who: Principal) => isMet(requirement, who, object(set.access?.['requirements']));
  const documents = new Map<string, Json>();
  for (const screen of set.screens ?? []) documents.set(`screen:${screen['id']}`, screen);
  for (const popup of set.popups ?? []) documents.set(`popup:${popup['id']}`, popup);
  documents.set('navigation', object(set.navigation));
  let seen: Seen | undefined;

  const mayCall = (operation: unknown) => meets(operations[String(operation)]?.['requires'], who);
  const own = (operation: unknown): string[] =>
    Object.entries(object(operations[String(operation)]?.['own'])).flatMap(([name, rule]) =>
      (rule as { userTypes: string[] }).userTypes.includes(who.type) ? [name] : [],
    );

  const isJoined = (path: string, { list }: At): boolean => path.startsWith('row.j.') && list === joinedList;

  /** The operation and field that a path reads, as `operation path`; undefined for what is on the page. */
  function field(path: string, at: At): string | undefined {
    const [head, first = '', ...rest] = path.split('.');
    if (head === 'data') return [`${at.sources[first]?.['operation']} ${rest[0]}`, ...rest.slice(1)].join('.');
    if (isJoined(path, at)) return [`${at.sources[first]?.['operation']} Result.Items`, ...rest].join('.');
    if (head === 'row') return `${at.row}.${[first, ...rest].join('.')}`;
    if (head === 'reply') return `${at.reply} ${[first, ...rest].join('.')}`;
    return undefined;
  }

  function mayHave(name: string): boolean {
    const [operation = '', path = ''] = name.split(' ');
    let [, ...names] = path.split('.');
    let at: unknown = operations[operation]?.['reply'];
    while (at !== undefined) {
      if (Array.isArray(at)) at = at[0];
      else if (typeof at !== 'object') return names.length === 0;
      else {
        const declared = object(at);
        if (!meets(declared['requires'], who)) return false;
        if (declared['of'] !== undefined) at = declared['of'];
        else if (names.length === 0 || declared['kind'] !== undefined) return names.length === 0;
        else {
          at = declared[names[0] as string];
          names = names.slice(1);
        }
      }
    }
    return false;
  }

  function mayRead(path: unknown, at: At): boolean {
    const [head, source = ''] = String(path).split('.');
    const isOfSource = head === 'data' || isJoined(String(path), at);
    if (isOfSource && at.sources[source] === undefined) return false;
    const name = field(String(path), at);
    if (name !== undefined && !mayHave(name)) return false;
    if (name !== undefined) seen?.paths.add(name);
    if (isOfSource) seen?.sources.add(source);
    return true;
  }
  const inRows = (list: string, outer: At): At => ({ ...outer, list, row: field(list, outer) as string });
  /** Paths that a data source reads itself: its bindings, and where it joins rows, these and the keys of both. */
  function mayFeed({ with: bindings, rows, by }: Json, outer: At): boolean {
    if (rows === undefined) return allRead(bindings, outer);
    return mayRead(rows, outer) && allRead({ ...object(bindings), by: `row.j.${by}` }, inRows(String(rows), outer));
  }
  const allRead = (bindings: unknown, at: At) =>
    Object.values(object(bindings)).every(value => typeof value !== 'string' || mayRead(value, at));

  function hasScreen(address: unknown, at: At): boolean {
    const [route = '', query = ''] = String(address).split('?');
    const path = /\{(.*)\}/.exec(query)?.[1];
    const id = [...documents].find(([key, document]) => key.startsWith('screen:') && document['route'] === route);
    return (route === '/' || id !== undefined) && (path === undefined || mayRead(path, at));
  }

  const bodyNames = (): string[] => {
    const fields = (nodes: Json[]): string[] =>
      nodes.flatMap(node =>
        !meets(node['requires'], who)
          ? []
          : node['type'] === 'field'
            ? [String(node['propertyName'])]
            : fields(list(node['children'])),
      );
    return meets(form['requires'], who) ? fields(list(form['fields'])) : [];
  };

  const withoutOwn = (call: Json): Json =>
    Object.fromEntries(Object.entries(object(call['with'])).filter(([name]) => !own(call['operation']).includes(name)));

  function effects(given: unknown, outer: At): Json[] | undefined {
    const out: Json[] = [];
    let at = outer;
    for (const one of list(given)) {
      const kept = effect(one, at);
      if (!kept) return undefined;
      out.push(kept);
      if (one['do'] === 'call') at = { ...at, reply: String(one['operation']) };
    }
    return out.length > 0 ? out : undefined;
  }

  function effect(given: Json, at: At): Json | undefined {
    const out: Record<string, unknown> = { ...given };
    switch (given['do']) {
      case 'navigate':
        return hasScreen(given['to'], at) ? out : undefined;
      case 'open-popup':
        seen?.popups.add(String(given['popup']));
        return documents.has(`popup:${given['popup']}`) ? out : undefined;
      case 'download': {
        const { operation } = given;
        if (operation !== undefined) {
          if (!mayCall(operation)) return undefined;
          seen?.files.add(String(operation));
          out['with'] = withoutOwn(given);
          return allRead(out['with'], at) ? out : undefined;
        }
        return at.tables.has(String(given['table'])) ? out : undefined;
      }
      case 'copy':
        return mayRead(given['value'], at) ? out : undefined;
      case 'command':
        seen?.commands.add(String(given['command']));
        return meets(commands.find(command => command.name === given['command'])?.requires, who) ? out : undefined;
      case 'save':
        return allRead(given['values'], at) ? out : undefined;
      case 'toast':
        if (given['undo']) out['undo'] = effects(given['undo'], at);
        return allRead(given['values'], at) && !(given['undo'] && !out['undo']) ? out : undefined;
      case 'call': {
        if (!mayCall(given['operation'])) return undefined;
        seen?.writes.add(String(given['operation']));
        if (given['with']) out['with'] = withoutOwn(given);
        if (given['body'])
          out['body'] = Object.fromEntries(
            Object.entries(object(given['body'])).filter(([name]) => bodyNames().includes(name)),
          );
        if (given['body'] && Object.keys(object(out['body'])).length === 0) return undefined;
        for (const name of Object.keys(object(out['body']))) seen?.fields.add(name);
        return allRead(out['with'], at) && allRead(out['body'], at) ? out : undefined;
      }
      default:
        return out;
    }
  }

  const arranges = (node: Json) => ['toolbar', 'stack', 'columns'].includes(String(node['type']));
  const isContent = (node: Json): boolean =>
    arranges(node)
      ? [...list(node['children']), ...list(node['end'])].some(isContent)
      : !['heading', 'search', 'filter', 'day'].includes(String(node['type']));

  /** Nodes that can stand alone, or that go along with others. */
  function nodes(given: unknown, at: At, alone = true): Json[] | undefined {
    const kept = list(given).flatMap<Json>(node => prune(node, at) ?? []);
    return kept.some(node => (alone ? isContent(node) : node['type'] !== 'heading')) ? kept : undefined;
  }

  /** A node, column, tab, menu entry or field without what is not the caller's; undefined when it goes. */
  function prune(given: Json, outer: At): Json | undefined {
    if (!meets(given['requires'], who)) return undefined;
    const out: Record<string, unknown> = { ...given };
    const { path: when, same } = object(given['when']);
    if (when !== undefined && !mayRead(when, outer)) return undefined;
    if (same !== undefined && !mayRead(same, outer)) return undefined;
    if (given['rows'] !== undefined && !mayRead(given['rows'], outer)) return undefined;
    const at = given['rows'] === undefined ? outer : inRows(String(given['rows']), outer);
    if (given['key'] !== undefined && !mayRead(`row.${given['key']}`, at)) return undefined;
    if (!allRead(given['values'], at)) return undefined;
    if (given['type'] !== 'tabs' && given['path'] !== undefined && !mayRead(given['path'], at)) return undefined;
    const ownPaths = [given['at'], given['titlePath'], given['by']].filter(path => path !== undefined);
    if (ownPaths.some(path => !mayRead(path, at))) return undefined;
    if (given['earlier'] && !mayRead(object(given['earlier'])['path'], at)) delete out['earlier'];
    const press = object(given['on'])['press'];
    if (press) {
      const kept = effects(press, at);
      if (!kept) return undefined;
      out['on'] = { press: kept };
    }
    if (given['to'] !== undefined && !hasScreen(given['to'], at)) {
      if (given['type'] === 'link') return undefined;
      delete out['to'];
      delete out['moreText'];
    }
    if (given['sort'] !== undefined && !mayHave(`${at.row}.${given['sort']}`)) delete out['sort'];
    if (given['type'] === 'form') return pruneForm(given, out, at);
    if (given['type'] === 'field' && at.initial !== undefined && !mayRead(`${at.initial}.${given['propertyName']}`, at))
      return undefined;
    if (given['type'] === 'field') seen?.fields.add(String(given['propertyName']));
    for (const part of ['columns', 'tabs', 'menu', 'facts']) {
      if (given[part] === undefined) continue;
      const kept = list(given[part]).flatMap(item => prune(item, at) ?? []);
      if (kept.length > 0) out[part] = kept;
      else if (part !== 'menu' && part !== 'facts') return undefined;
      else delete out[part];
    }
    if (given['menu'] && !out['menu']) delete out['menuLabel'];
    for (const part of ['actions', 'end']) {
      if (given[part]) out[part] = nodes(given[part], at, false);
      if (out[part] === undefined) delete out[part];
    }
    // A toolbar that is written without a beginning goes by its end.
    if (given['children'] && list(given['children']).length === 0) return out['end'] ? out : undefined;
    if (given['children']) out['children'] = nodes(given['children'], at, !arranges(given));
    return given['children'] && !out['children'] ? undefined : out;
  }

  function pruneForm(given: Json, out: Record<string, unknown>, at: At): Json | undefined {
    const { initial } = given as { initial?: string };
    if (initial !== undefined && !mayRead(initial, at)) return undefined;
    const { submit, cancel } = object(given['on']);
    const kept = { submit: effects(submit, at), cancel: cancel && effects(cancel, at) };
    if (!kept.submit || !meets(form['requires'], who)) return undefined;
    out['on'] = kept;
    if (cancel && !kept.cancel) delete out['cancel'];
    const { initial: _, ...plain } = at;
    out['children'] = nodes(given['children'] ?? form['fields'], initial === undefined ? plain : { ...at, initial });
    return out['children'] ? out : undefined;
  }

  function entries(given: unknown): Json[] | undefined {
    const kept = list(given).flatMap(entry => {
      if (!meets(entry['requires'], who)) return [];
      if (entry['to'] !== undefined) return hasScreen(entry['to'], { sources: {}, tables: new Set() }) ? [entry] : [];
      const items = entries(entry['items']);
      return items ? [{ ...entry, items }] : [];
    });
    return kept.length > 0 ? kept : undefined;
  }

  function sourcesOf(document: Json): Record<string, Json> {
    const sources = Object.fromEntries(
      Object.entries(object(document['data'])).flatMap(([name, source]) => {
        const given = source as Json;
        const open = Object.entries(object(given['with'])).filter(
          ([parameter]) => !own(given['operation']).includes(parameter),
        );
        return meets(given['requires'], who) && mayCall(given['operation'])
          ? [[name, { ...given, with: Object.fromEntries(open) }]]
          : [];
      }),
    );
    const at = { sources, tables: new Set<string>() };
    for (const lost of Object.keys(sources)) {
      if (Object.keys(sources).includes(lost) && !mayFeed(object(sources[lost]), at)) {
        delete sources[lost];
        return sourcesOf({ ...document, data: sources });
      }
    }
    return sources;
  }

  const tablesIn = (value: unknown): string[] =>
    value === null || typeof value !== 'object'
      ? []
      : [
          ...((value as Json)['type'] === 'table' ? [String((value as Json)['id'])] : []),
          ...Object.values(value).flatMap(tablesIn),
        ];

  function pruneDocument(key: string, document: Json): Json | undefined {
    if (key === 'navigation') return { ...document, main: entries(document['main']) };
    if (!meets(document['requires'], who)) return undefined;
    const children = nodes(document['children'], { sources: sourcesOf(document), tables: new Set(tablesIn(document)) });
    return children && { ...document, children };
  }

  for (let before = ''; before !== JSON.stringify([...documents]); ) {
    before = JSON.stringify([...documents]);
    for (const [key, document] of documents) {
      const kept = pruneDocument(key, document);
      if (kept) documents.set(key, kept);
      else documents.delete(key);
    }
  }

  const all = {
    paths: new Set<string>(),
    files: new Set<string>(),
    writes: new Set<string>(),
    commands: new Set<string>(),
    reads: new Set<string>(),
    fields: new Set<string>(),
  };
  const reached = new Map<string, Json>();
  const visit = (key: string): void => {
    const document = documents.get(key);
    if (!document || reached.has(key)) return;
    reached.set(key, document);
    const sources = sourcesOf(document);
    const used: Seen = {
      paths: all.paths,
      files: all.files,
      writes: all.writes,
      commands: all.commands,
      fields: all.fields,
      sources: new Set(),
      popups: new Set(),
    };
    seen = used;
    pruneDocumentAgain(key, document, sources);
    for (let size = -1; size < used.sources.size; ) {
      size = used.sources.size;
      for (const name of used.sources) mayFeed(object(sources[name]), { sources, tables: new Set() });
    }
    seen = undefined;
    for (const name of used.sources) all.reads.add(String(sources[name]?.['operation']));
    for (const popup of used.popups) visit(`popup:${popup}`);
  };
  function pruneDocumentAgain(key: string, document: Json, sources: Record<string, Json>): void {
    if (key !== 'navigation') nodes(document['children'], { sources, tables: new Set(tablesIn(document)) });
  }
  for (const key of documents.keys()) if (!key.startsWith('popup:')) visit(key);
  const landing = list(object(set.navigation)['landing']).find(
    ({ requires, to }) => meets(requires, who) && hasScreen(to, { sources: {}, tables: new Set() }),
  );
  return { documents: reached, landing: String(landing?.['to']), ...all };
}

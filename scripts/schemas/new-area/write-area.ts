import { inCamelCase } from '../../../server/layouts/expand/names.ts';
import type { Operation } from '../../../shared/language/types.ts';
import { addTexts, documentOf } from '../begin-operation.ts';
import { inWords, optionKey } from '../body-form.ts';
import { type Document, setIn } from '../edit-folder.ts';
import { parametersOf } from '../new-screen/questions.ts';
import { type ShownList, shownFields, shownList } from '../new-screen/shown-list.ts';
import type { AreaCalls } from './area-calls.ts';
import { type AreaNames, routeOfArea } from './begin-area.ts';

/** An area whose documents are being written. */
type Area = AreaNames & {
  readonly calls: AreaCalls;
  readonly operations: Readonly<Record<string, Operation>>;
  /** Field by which an item is found, and the one by which people know it. */
  readonly key: string;
  readonly title: string;
  /** Parameters of the cloud's address above the list, and that of an item. */
  readonly above: readonly string[];
  readonly parameter: string | undefined;
  /** Address of an item's screen, where there is one. */
  readonly deep: string | undefined;
  /** The texts that the documents need, by their names in the area. */
  readonly texts: Record<string, string>;
};

/**
 * Writes what an area has beside its list: the screen of an item, popups that add and change one, what the list's rows
 * and its head offer, and all texts. `list` is the screen of the list.
 */
export function writeArea(documents: Document[], list: Document, names: AreaNames, calls: AreaCalls): void {
  const area = readArea(documents, names, calls);
  if (hasForm(area, 'create')) documents.push(writeAdding(area, list));
  if (area.deep !== undefined) documents.push(writeDetail(area, area.deep));
  if (mayChange(area)) documents.push(writeChanging(area));
  writeRows(area, list);
  writeTabs(area, list);
  addTexts(documents, area.area, area.texts);
}

function readArea(documents: readonly Document[], names: AreaNames, calls: AreaCalls): Area {
  const { json } = documents.find(({ file }) => file === `${names.area}/operations.json`)!;
  const operations = json.operations as Readonly<Record<string, Operation>>;
  const shown = shownList(operations[`${names.area}.list`]!);
  if (!shown) throw new Error(`The reply of "GET ${calls.list.path}" has no list of objects, which a table shows.`);
  const { get, update, delete: remove, verbs } = calls;
  const [ofItem] = [get, update, remove, ...Object.values(verbs)].filter(call => call !== undefined);
  const parameter = ofItem && parametersOf(ofItem.path).at(-1);
  return {
    ...names,
    ...{ calls, operations, key: shown.key, title: titleOf(shown), parameter },
    above: parametersOf(calls.list.path),
    deep: get && parameter !== undefined ? `${routeOfArea(names.area, calls)}/{${parameter}}` : undefined,
    texts: {},
  };
}

/** The first text that every item has and that is not what it is found by. */
function titleOf({ item, key }: ShownList): string {
  const titles = [...item.fields].filter(
    ([name, field]) => name !== key && field.type === 'value' && !field.optional && field.kind === 'text',
  );
  return titles[0]?.[0] ?? key;
}

const hasForm = ({ area, operations }: Area, name: 'create' | 'update'): boolean =>
  operations[`${area}.${name}`]?.body !== undefined;
const mayChange = (area: Area): boolean => area.deep !== undefined && hasForm(area, 'update');

const words = (name: string): string => inWords(name).toLowerCase();
/** An address whose parameters are read from the route; those that say where they stand stay. */
const fromRoute = (route: string): string => route.replace(/\{([^{}.]+)\}/g, '{route.$1}');

/** Bindings of the parameters of a call about an item: its key stands in the row, the route or the popup. */
const bindings = ({ above, parameter, key }: Area, from: 'row' | 'route' | 'popup'): unknown[] => [
  ...above.map(name => `${from === 'row' ? 'route' : from}.${name}`),
  ...(parameter === undefined
    ? []
    : [from === 'row' && key !== parameter ? { [parameter]: `row.${key}` } : `${from}.${parameter}`]),
];

const popupOf = (area: string, id: string, content: object): Document =>
  documentOf(`${area}/${id}.json`, { $schema: '../meta/popup.schema.json', ...content });

/** The popup that adds an item; a button above the list opens it. */
function writeAdding({ area, one, above, operations, texts }: Area, list: Document): Document {
  const given = (from: string) => (above.length > 0 ? { with: above.map(name => `${from}.${name}`) } : {});
  const press = { 'open-popup': `add-${one}`, ...given('route') };
  setIn(list, ['actions'], [{ button: `${area}.add`, look: 'primary', press }], 'data');
  Object.assign(texts, {
    ...{ add: `Add ${words(one)}`, added: `The ${words(one)} was added` },
    [`add-${one}.title`]: `Add ${words(one)}`,
  });
  return popupOf(area, `add-${one}`, {
    ...(above.length > 0 && { parameters: above }),
    children: [
      {
        ...{ form: operations[`${area}.create`]?.body, id: `add-${one}`, submit: `${area}.add` },
        on: [{ call: `${area}.create`, ...given('popup') }, 'close-popup', { toast: `${area}.added` }],
      },
    ],
  });
}

/** The popup that changes an item. */
function writeChanging({ area, one, above, parameter = '', operations, texts }: Area): Document {
  const parameters = [...above, parameter];
  const given = parameters.map(name => `popup.${name}`);
  Object.assign(texts, {
    ...{ change: 'Change…', save: 'Save', saved: `The ${words(one)} was saved` },
    [`change-${one}.title`]: `Change ${words(one)}`,
  });
  return popupOf(area, `change-${one}`, {
    parameters,
    data: { [one]: { [`${area}.get`]: given } },
    children: [
      {
        ...{ form: operations[`${area}.update`]?.body, id: `change-${one}`, initial: `data.${one}` },
        submit: `${area}.save`,
        on: [{ call: `${area}.update`, with: given }, 'close-popup', { toast: `${area}.saved` }],
      },
    ],
  });
}

/** The screen of an item: all that facts can show of it, and a menu of what can be done with it. */
function writeDetail(area: Area, deep: string): Document {
  const { one, requires, title, calls, operations, texts } = area;
  const fields = factsOf(operations[`${area.area}.get`]!);
  const menu = menuOf(area, 'route');
  Object.assign(texts, { [`${one}.title`]: inWords(one) });
  for (const name of fields) texts[inCamelCase(name)] = inWords(name);
  if (menu.length > 0) texts.more = 'More';
  const list = routeOfArea(area.area, calls);
  const below = listsBelow(area);
  return documentOf(`${area.area}/${one}.json`, {
    ...{ $schema: '../meta/screen.schema.json', route: deep, subject: `data.${one}.${title}`, requires },
    crumbs: [{ [`${area.area}.${area.area}.title`]: fromRoute(list) }],
    data: { [one]: { [`${area.area}.get`]: bindings(area, 'route'), essential: true }, ...below.data },
    ...(menu.length > 0 && {
      actions: [{ menu, text: `${area.area}.more`, icon: 'more', testId: `${one}-more` }],
    }),
    children: [
      { card: `${area.area}.${one}.title`, children: [{ facts: fields.map(name => `data.${one}.${name}`) }] },
      ...below.cards,
    ],
  });
}

/** Columns of a list on the screen of an item. */
const mostColumns = 6;

/** The lists that an item has, each a table in a card, with their data sources. */
function listsBelow(area: Area) {
  const found = Object.keys(area.calls.lists).flatMap(written => {
    const name = inCamelCase(written);
    const operation = area.operations[`${area.area}.${name}`];
    const shown = operation && shownList(operation);
    if (!operation || !shown) return [];
    const columns = shownFields(shown, mostColumns).shown.map(field => field.name);
    const isPaged = shown.total !== undefined && operation.with?.page && operation.with.pageSize;
    const pages = isPaged ? [{ page: `route.${name}Page`, pageSize: `route.${name}Size` }] : [];
    const [title, none] = [`${name}.title`, `${name}.none`];
    Object.assign(area.texts, { [title]: inWords(written), [none]: 'Nothing here yet' });
    for (const column of columns) area.texts[inCamelCase(column)] ??= inWords(column);
    const table = {
      ...{ table: `data.${name}.Items`, key: shown.key, columns, ...(isPaged && { paging: {} }), dense: true },
      empty: { title: `${area.area}.${none}` },
    };
    const source = { [`${area.area}.${name}`]: [...bindings(area, 'route'), ...pages] };
    return [{ name, source, card: { card: `${area.area}.${title}`, flush: true, children: [table] } }];
  });
  return {
    data: Object.fromEntries(found.map(({ name, source }) => [name, source])),
    cards: found.map(({ card }) => card),
  };
}

/** Fields of an item that facts can show. */
function factsOf({ reply }: Operation): string[] {
  if (typeof reply !== 'object' || Array.isArray(reply)) return [];
  return Object.entries(reply as Readonly<Record<string, unknown>>).flatMap(([name, kind]) => {
    const said = typeof kind === 'string' ? kind : (kind as { readonly kind?: string })?.kind;
    return typeof said === 'string' && !/^(id|html|file|colour)\b/.test(said) ? [name] : [];
  });
}

/** Makes the menu of an item, in its row or on its own screen. */
function menuOf(area: Area, from: 'row' | 'route'): object[] {
  const { one, title, calls, texts } = area;
  const values = { name: from === 'row' ? `row.${title}` : `data.${one}.${title}` };
  const given = bindings(area, from);
  const key = (name: string): string => `${area.area}.${name}`;
  const change = { [key('change')]: { 'open-popup': `change-${one}`, with: given }, id: `change-${one}` };
  const verbs = Object.keys(calls.verbs).map(verb => {
    const name = inCamelCase(verb);
    Object.assign(texts, { [name]: inWords(verb), [`${name}Done`]: `{{name}}: ${words(verb)}` });
    const effects = [
      { call: key(name), with: given },
      { toast: key(`${name}Done`), values },
    ];
    return { [key(name)]: effects, id: `${verb}-${one}` };
  });
  return [...(mayChange(area) ? [change] : []), ...verbs, ...(calls.delete ? [deleting(area, from, values)] : [])];
}

/** The entry that deletes an item, after a question. */
function deleting(area: Area, from: 'row' | 'route', values: object): object {
  const { one, calls, texts } = area;
  const key = (name: string): string => `${area.area}.${name}`;
  Object.assign(texts, {
    ...{ delete: 'Delete…', deleteTitle: 'Delete {{name}}?', deletePrimary: 'Delete', deleted: '{{name}} is deleted' },
    deleteText: `The ${words(one)} is gone for good. This cannot be undone.`,
  });
  const effects = [
    { confirm: key('deleteTitle'), values, danger: true },
    { call: key('delete'), with: bindings(area, from) },
    ...(from === 'route' ? [{ navigate: fromRoute(routeOfArea(area.area, calls)), replace: true }] : []),
    { toast: key('deleted'), values },
  ];
  return { [key('delete')]: effects, id: `delete-${one}` };
}

/** Tabs above the list, by a parameter with the codes of a field of its rows. */
function writeTabs({ area, operations, texts }: Area, list: Document): void {
  const operation = operations[`${area}.list`]!;
  const fields = [...(shownList(operation)?.item.fields ?? [])];
  const [found] = Object.entries(operation.with ?? {}).flatMap(([parameter, { enum: values }]) => {
    const [field] = fields.find(([name, one]) => inCamelCase(name) === parameter && 'catalogue' in one) ?? [];
    return values && field !== undefined ? [{ parameter, field, values }] : [];
  });
  if (!found) return;
  const { parameter, field, values } = found;
  const { data, children } = JSON.parse(list.text) as {
    readonly data: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
    readonly children: readonly unknown[];
  };
  const [[source = '', bound] = []] = Object.entries(data);
  const options = values.map(value => ({ [String(value)]: `${area}.${optionKey(field, value)}` }));
  const place = `route.${parameter}`;
  setIn(list, ['data', source, `${area}.list`], [...(bound?.[`${area}.list`] ?? []), place]);
  setIn(
    list,
    ['children'],
    [{ filter: place, look: 'tabs', options: [{ '': `${area}.all` }, ...options] }, ...children],
  );
  Object.assign(texts, { all: 'All', [parameter]: inWords(field) });
}

/** Gives the rows of the list their menu, and lets their title lead to the item's screen. */
function writeRows(area: Area, list: Document): void {
  const { key, title, deep, parameter } = area;
  const nodes = list.json.children as readonly { readonly columns?: readonly (string | { readonly path: string })[] }[];
  const at = nodes.findIndex(node => 'table' in node);
  const menu = menuOf(area, 'row');
  if (menu.length > 0) {
    setIn(list, ['children', at, 'values'], { name: `row.${title}` });
    setIn(list, ['children', at, 'menuLabel'], `${area.area}.menu`);
    setIn(list, ['children', at, 'menu'], menu);
    area.texts.menu = 'Actions for {{name}}';
  }
  const columns = (nodes[at]?.columns ?? []).map(column => (typeof column === 'string' ? { path: column } : column));
  const ofTitle = columns.findIndex(({ path }) => path.replace('?', '') === title);
  if (deep === undefined || ofTitle < 0) return;
  const to = fromRoute(deep.replace(`{${parameter}}`, `{row.${key}}`));
  setIn(list, ['children', at, 'columns', ofTitle], { ...columns[ofTitle], to });
}

import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import type { WrittenRequirement } from '../../shared/language/types.ts';
import type { Draw } from '../fixtures/draw.ts';
import { everyone, type Json, type SchemaSet } from '../fixtures/schemas.ts';
import { feature, named, odd, otherFeature, permissions, requirements, views } from './drawn-requirements.ts';

/** The list to whose rows the data source "j" of each document joins what it reads. */
export const joinedList = 'data.d1.Result.Items';
/** How deep a list stands in others. */
const nesting = 3;
const documents = 3;
const value = (requires: string | Json): Json => ({ kind: 'id?', requires });
const listOf = (item: Json, requires?: string | Json): Json => ({
  of: [item],
  optional: true,
  ...(requires && { requires }),
});

/**
 * Draws a set of screens, popups, forms, operations and texts with links among them. Every part has a number, which
 * its test id, texts, paths and ids carry as `c<number>z`, so that one can look for what should be gone.
 */
export function drawSet(draw: Draw, monotone: boolean): { set: SchemaSet; commands: CommandDeclaration[] } {
  let counter = 0;
  const texts: Record<string, unknown> = {};
  const next = (): string => `c${counter++}z`;
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)] as T;
  const requirement = () => pick(monotone ? requirements : [...requirements, ...odd]);
  /** Some of those who meet any other requirement meet it too. */
  const metByCallers = () => pick([{ views: [views[0]] }, { permissions }, { prices: true }]);
  const requires = (): Json => (draw(3) === 0 ? { requires: requirement() } : {});

  function text(name: string): string {
    texts[name] = draw(4) === 0 ? [{ requires: requirement(), text: `${name}-variant` }, { text: name }] : name;
    return `t.${name}`;
  }

  type PartScope = { row?: boolean; list?: string; tables: string[] };
  const fields = new Set(['F0', 'F1', 'F2', 'Id']);
  const field = (name: string): string => {
    const picked = pick(['F0', 'F1', 'F2', name]);
    fields.add(picked);
    return picked;
  };
  const rowPath = (name: string, { list }: PartScope): string =>
    list === joinedList && draw(2) === 0 ? `row.j.${field(name)}` : `row.${field(name)}`;
  const path = (name: string, scope: PartScope): string =>
    scope.row && draw(2) === 0
      ? rowPath(name, scope)
      : pick([`data.d${draw(4)}.Result.${field(name)}`, 'route.x', 'state.s']);
  /** What is compared with a constant may hold it; some are compared with another path. */
  const test = (name: string, scope: PartScope, tested = path(name, scope)): Json =>
    draw(3) === 0
      ? { path: tested, same: path(name, scope) }
      : { path: tested, is: tested === 'state.s' ? 'one' : name };
  const rows = ({ row }: PartScope): string => (row ? 'row.Sub' : `data.d${draw(4)}.Result.Items`);
  const inRow = (scope: PartScope, list: string): PartScope => ({ ...scope, row: true, list });

  function effect(name: string, scope: PartScope): Json[] {
    switch (draw(11)) {
      case 0:
        return [
          { do: 'navigate', to: draw(2) ? `/s${draw(documents)}` : `/s${draw(documents)}?x={${path(name, scope)}}` },
        ];
      case 1:
      case 2:
        return [{ do: 'open-popup', popup: `p${draw(documents)}` }];
      case 3:
        return [
          { do: 'call', operation: 'w.form', body: { F0: { value: 'x' }, ...(draw(2) && { F1: path(name, scope) }) } },
          ...(draw(2) ? [{ do: 'copy', value: `reply.Result.${field(name)}` }] : []),
        ];
      case 4:
        return [{ do: 'call', operation: 'w.own', with: { id: path(name, scope) } }];
      case 5:
        return [{ do: 'command', command: `flow.${draw(2) ? 'open' : 'closed'}` }];
      case 6:
        return [
          {
            do: 'toast',
            text: text(name),
            values: { x: path(name, scope) },
            ...(draw(3) === 0 && { undo: effect(name, scope) }),
          },
        ];
      case 7:
        return scope.tables.length > 0
          ? [{ do: 'download', table: pick(scope.tables) }]
          : [{ do: 'download', operation: 'f.own', with: { id: path(name, scope) } }];
      case 8:
        return [{ do: 'save', name: text(name), text: text(name), values: { x: path(name, scope) } }];
      default:
        return [{ do: 'sign-out' }];
    }
  }
  const press = (name: string, scope: PartScope): Json => ({
    on: { press: [...effect(name, scope), ...(draw(3) === 0 ? effect(name, scope) : [])] },
  });

  function nodes(depth: number, scope: PartScope): Json[] {
    return Array.from({ length: 1 + draw(3) }, () => node(depth, scope));
  }

  function node(depth: number, scope: PartScope): Json {
    const name = next();
    const common = {
      testId: name,
      ...requires(),
      ...(draw(6) === 0 && { when: test(name, scope) }),
    };
    switch (draw(depth > 0 ? 19 : 10)) {
      case 0:
        return { type: 'text', ...common, path: path(name, scope) };
      case 1:
        return { type: 'text', ...common, text: text(name), values: { x: path(name, scope) } };
      case 2:
        return { type: 'heading', ...common, text: text(name) };
      case 3:
        if (draw(2)) return { type: 'progress', ...common, label: text(name) };
        return { type: 'heading', ...common, text: text(name), level: 3 };
      case 4:
        return { type: 'button', ...common, text: text(name), ...press(name, scope) };
      case 5:
        return { type: 'link', ...common, text: text(name), to: `/s${draw(documents)}` };
      case 6:
        return { type: 'search', ...common, path: 'route.q', label: text(name) };
      case 7:
        return { type: 'filter', ...common, path: 'route.f', label: text(name), options: [{ value: '', text: 't.a' }] };
      case 8:
        return stat(name, common, scope);
      case 9:
        return timeline(name, common, scope);
      case 10:
      case 11:
        return {
          type: 'card',
          ...common,
          children: nodes(depth - 1, scope),
          ...(draw(3) === 0 && { actions: nodes(0, scope) }),
        };
      case 12:
        return {
          type: 'card',
          ...common,
          to: `/s${draw(documents)}`,
          moreText: text(name),
          children: nodes(depth - 1, scope),
        };
      case 13:
        return {
          type: 'tabs',
          ...common,
          path: 'route.tab',
          label: 't.label',
          tabs: [tab(depth, scope), tab(depth, scope)],
        };
      case 14:
        return repeat(common, depth, scope);
      case 15:
        return form(name, common, scope);
      case 16:
        return toolbar(common, depth, scope);
      case 17:
        return { type: pick(['stack', 'columns']), ...common, children: nodes(depth - 1, scope) };
      default:
        return table(name, common, scope);
    }
  }

  function repeat(common: Json, depth: number, scope: PartScope): Json {
    const list = rows(scope);
    const children = nodes(depth - 1, inRow(scope, list));
    return { type: 'repeat', ...common, rows: list, key: pick(['Id', 'F0']), children };
  }

  /** With a beginning, an end or both. */
  function toolbar(common: Json, depth: number, scope: PartScope): Json {
    const children = draw(3) === 0 ? [] : nodes(depth - 1, scope);
    const hasEnd = children.length === 0 || draw(2) === 0;
    return { type: 'toolbar', ...common, children, ...(hasEnd && { end: nodes(0, scope) }) };
  }

  function stat(name: string, common: Json, scope: PartScope): Json {
    return {
      ...{ type: 'stat', ...common, label: text(name), path: path(name, scope) },
      earlier: { path: path(name, scope), text: text(name) },
      ...(draw(3) === 0 && { to: `/s${draw(documents)}` }),
    };
  }

  function timeline(name: string, common: Json, scope: PartScope): Json {
    const list = rows(scope);
    const inner = inRow(scope, list);
    const fact = (): Json => ({ label: text(name), ...requires(), path: rowPath(name, inner) });
    return {
      type: 'timeline',
      ...common,
      label: text(name),
      rows: list,
      key: pick(['Id', 'F0']),
      at: `row.${field(name)}`,
      titlePath: rowPath(name, inner),
      ...(draw(2) && { by: path(name, inner) }),
      facts: [fact(), fact()],
      empty: { title: 't.none' },
    };
  }

  function tab(depth: number, scope: PartScope): Json {
    const name = next();
    return { id: name, title: text(name), testId: name, ...requires(), children: nodes(depth - 1, scope) };
  }

  function form(name: string, common: Json, scope: PartScope): Json {
    const submit = draw(2) ? { do: 'call', operation: 'w.form' } : { do: 'close-popup' };
    const cancel =
      draw(3) === 0
        ? { cancel: text(name), on: { submit: [submit], cancel: effect(name, scope) } }
        : { on: { submit: [submit] } };
    return {
      type: 'form',
      ...common,
      id: `${name}-id`,
      form: 'form',
      submit: 't.go',
      ...cancel,
      ...(draw(2) && { initial: `data.d${draw(4)}.Result` }),
    };
  }

  function table(name: string, common: Json, scope: PartScope): Json {
    const id = `${name}-id`;
    const list = rows(scope);
    const inner = inRow(scope, list);
    const column = (): Json => {
      const own = next();
      const shown = rowPath(own, inner);
      return {
        testId: own,
        title: text(own),
        ...requires(),
        path: shown,
        ...(!shown.startsWith('row.j.') && draw(2) && { sort: field(own) }),
        ...(draw(3) === 0 && { to: `/s${draw(documents)}` }),
      };
    };
    const entry = (): Json => {
      const own = next();
      return { testId: own, text: text(own), ...requires(), ...press(own, inner) };
    };
    const whole = {
      type: 'table',
      ...common,
      id,
      label: 't.label',
      rows: list,
      key: pick(['Id', 'F0']),
      empty: { title: 't.none' },
      columns: [column(), column()],
    };
    const made = { ...whole, ...(draw(2) && { menu: [entry(), entry()], menuLabel: text(name) }) };
    scope.tables.push(id);
    return made;
  }

  const data = (): Json => ({
    d0: {
      operation: 'g.plain',
      when: {
        any: [
          { path: 'route.q', empty: true },
          { path: 'route.f', empty: true },
        ],
      },
    },
    d1: { operation: 'g.plain', ...requires() },
    d2: { operation: 'g.closed' },
    d3: { operation: 'g.own', with: { id: draw(2) ? `data.d${draw(4)}.Result.F0` : 'route.x' } },
    j: { operation: 'g.joined', ...requires(), with: { keys: 'row.F2' }, rows: joinedList, by: pick(['Id', 'F0']) },
  });
  const body = (): Json => ({ data: data(), state: { s: 'one', t: 2 }, children: nodes(3, { tables: [] }) });

  const screens = Array.from({ length: documents }, (_, index) => ({
    id: `s${index}`,
    route: `/s${index}`,
    title: 't.title',
    requires: draw(2) ? everyone : requirement(),
    ...body(),
  }));
  const popups = Array.from({ length: documents }, (_, index) => ({
    id: `p${index}`,
    title: 't.title',
    ...requires(),
    ...body(),
  }));
  const entry = (items?: Json[]): Json => {
    const own = next();
    return { testId: own, text: text(own), ...requires(), ...(items ? { items } : { to: `/s${draw(documents)}` }) };
  };
  const navigation = {
    id: 'navigation',
    requires: everyone,
    main: [entry(), entry([entry(), entry([entry()])])],
    landing: [
      { requires: requirement(), to: `/s${draw(documents)}` },
      { requires: everyone, to: `/s${draw(documents)}` },
      { requires: everyone, to: '/' },
    ],
  };
  const bodyField = (propertyName: string): Json => ({
    type: 'field',
    propertyName,
    kind: 'text',
    label: 't.label',
    testId: next(),
    ...requires(),
  });
  const own = { id: { userTypes: ['endUser'], is: 'principal.organisationId' } };
  const item = (depth: number, requires?: string | Json): Json => ({
    ...Object.fromEntries([...fields].map(name => [name, 'id?'])),
    ...(depth > 0 && { Sub: listOf(item(depth - 1), requires) }),
  });
  const get = { service: 'cloud', method: 'GET', path: '/api/g' };
  const post = { service: 'cloud', method: 'POST', path: '/api/w', audit: 'w.written' };
  const set: SchemaSet = {
    screens,
    popups,
    navigation,
    forms: [
      {
        id: 'form',
        ...(draw(4) === 0 && { requires: requirement() }),
        fields: [bodyField('F0'), bodyField('F1'), { type: 'section', ...requires(), children: [bodyField('F2')] }],
      },
    ],
    operations: {
      'g.plain': {
        ...get,
        reply: {
          ...item(0),
          F1: value(requirement()),
          Items: listOf({ ...item(nesting, requirement()), F0: value(requirement()) }),
        },
      },
      'g.closed': {
        ...get,
        requires: requirement(),
        reply: {
          ...item(0),
          Items: listOf(item(nesting), metByCallers()),
        },
      },
      'g.own': {
        ...get,
        path: '/api/g/{id}',
        with: { id: { type: 'string' } },
        own,
        ...requires(),
        reply: { ...item(0), Items: listOf(item(nesting)) },
      },
      'g.joined': {
        ...get,
        path: '/api/j',
        with: { keys: { type: 'string', required: true } },
        ...requires(),
        reply: { Items: listOf({ ...item(0), F0: value(metByCallers()) }) },
      },
      'f.own': { ...get, path: '/api/f/{id}', with: { id: { type: 'string' } }, own, ...requires(), file: 'text/csv' },
      'w.form': { ...post, body: 'form', ...requires(), reply: { ...item(0), F0: value(metByCallers()) } },
      'w.own': { ...post, path: '/api/w/{id}', with: { id: { type: 'string' } }, own, ...requires() },
    },
    texts: { t: texts },
    access: { views, permissions, features: [feature, otherFeature], requirements: named },
  };
  const commands: CommandDeclaration[] = [
    { name: 'flow.open' },
    { name: 'flow.closed', requires: requirement() as WrittenRequirement },
  ];
  return { set, commands };
}

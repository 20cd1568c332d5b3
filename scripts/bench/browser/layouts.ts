import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { Effect, FieldNode, Node, PopupLayout, ScreenLayout } from '../../../shared/language/types.ts';
import { initialValues, largeForm, matchItems, matchOptions, rows, type Specimen, smallForm } from './specimens.ts';

/** A benched page in the layout language, with the data that it starts with. */
export type BenchedLayout = {
  readonly layout: ScreenLayout;
  readonly popups?: Readonly<Record<string, PopupLayout>>;
  readonly data: Readonly<Record<string, Envelope>>;
};

const statuses = [
  { value: 'Active', text: 'Active', kind: 'ok' },
  { value: 'Activating', text: 'Activating', kind: 'wait' },
  { value: 'ActivationFailed', text: 'ActivationFailed', kind: 'bad' },
  { value: 'Suspended', text: 'Suspended', kind: 'off' },
];

function formOf(fields: readonly Specimen[], initial: string): Node {
  return {
    type: 'form',
    id: 'form',
    initial,
    submit: 'Save',
    on: { submit: [{ do: 'toast', text: 'Saved' }] },
    children: fields.map(fieldOf),
  };
}

function fieldOf({ needs, ...field }: Specimen): FieldNode {
  return { type: 'field', ...field, ...(needs !== undefined && { when: { path: `form.${needs}`, is: true } }) };
}

function screen(id: string, children: readonly Node[]): ScreenLayout {
  return {
    kind: 'screen',
    id,
    route: `/${id}`,
    title: 'Customer',
    children,
    data: { bench: { operation: 'bench.read' } },
  };
}

const table: Node = {
  type: 'table',
  id: 'list',
  label: 'Customers',
  rows: 'data.bench.Result.Items',
  key: 'Id',
  empty: { title: 'No customers yet' },
  noMatch: { title: 'No customer matches' },
  filteredBy: ['state.search'],
  columns: [
    { title: 'Customer', path: 'row.Name', priority: 'lead' },
    { title: 'Domain', path: 'row.Domain' },
    { title: 'Status', path: 'row.Status', catalogue: statuses },
    { title: 'Users', path: 'row.Users', format: 'number' },
    { title: 'Per month', path: 'row.MonthlySpend', format: 'currency' },
    { title: 'Number', path: 'row.Id' },
  ],
};

const edit: Effect = { do: 'open-popup', popup: 'edit', with: { name: 'row.Name' } };

const card: Node = {
  type: 'card',
  children: [
    { type: 'heading', level: 3, text: '{{name}}', values: { name: 'row.Name' } },
    { type: 'text', path: 'row.Domain' },
    { type: 'status', path: 'row.Status', catalogue: statuses },
    { type: 'text', path: 'row.MonthlySpend', format: 'currency' },
    { type: 'button', id: 'edit', text: 'Edit', small: true, on: { press: [edit] } },
    { type: 'button', id: 'rename', text: 'Rename', small: true, on: { press: [edit] } },
  ],
};

const tabbed: Node = {
  type: 'tabs',
  path: 'state.tab',
  label: 'Parts',
  tabs: [
    {
      id: 'services',
      title: 'Services',
      children: [{ type: 'repeat', rows: 'data.bench.Result.Items', key: 'Id', children: [card] }],
    },
    { id: 'users', title: 'Users', children: [{ type: 'text', text: 'Users' }] },
    { id: 'activity', title: 'Activity', children: [{ type: 'text', text: 'Activity' }] },
  ],
};

const editing: PopupLayout = {
  kind: 'popup',
  id: 'edit',
  title: '{{name}}',
  values: { name: 'popup.name' },
  data: { values: { operation: 'bench.values' } },
  children: [formOf(smallForm, 'data.values.Result')],
};

const match: Node = {
  type: 'match',
  id: 'matches',
  testId: 'matches',
  propertyName: 'Changes',
  label: 'Customers',
  rows: 'data.bench.Result.Items',
  key: 'id',
  titlePath: 'row.name',
  heading: 'Customer',
  selected: 'row.option',
  selectedTitle: 'row.optionName',
  ignored: 'row.ignored',
  suggested: 'row.suggestion',
  candidates: {
    rows: 'data.bench.Result.Options',
    key: 'id',
    titlePath: 'row.name',
    heading: 'Customer there',
    emptyText: 'There is none',
  },
  filterPath: 'state.show',
  searchPath: 'state.search',
  texts: {
    standing: 'Status',
    all: 'All',
    matched: 'Matched',
    unmatched: 'Not matched',
    ignored: 'Ignored',
    choose: 'Match {{name}} with',
    unassign: 'Unassign {{option}} from {{name}}',
    ignore: 'Ignore',
    restore: 'Stop ignoring',
    accept: 'Use {{option}}',
    acceptAll: 'Use {{count}} suggestions',
    more: '{{count}} more',
    noOption: 'Nothing matches',
    empty: 'There is nothing',
    noMatch: 'Nothing matches',
  },
};

const matching: Node = {
  type: 'form',
  id: 'form',
  initial: 'data.bench.Result',
  submit: 'Save',
  on: { submit: [{ do: 'toast', text: 'Saved' }] },
  children: [match],
};

const reply = (Result: unknown): Readonly<Record<string, Envelope>> => ({ bench: { Succeed: true, Result } });

/** The benched pages by name. */
export const benchedLayouts: Readonly<Record<string, BenchedLayout>> = {
  'small-form': {
    layout: screen('small-form', [formOf(smallForm, 'data.bench.Result')]),
    data: reply(initialValues),
  },
  'large-form': {
    layout: screen('large-form', [formOf(largeForm, 'data.bench.Result')]),
    data: reply(initialValues),
  },
  table: {
    layout: {
      ...screen('table', [
        { type: 'toolbar', children: [{ type: 'search', path: 'state.search', label: 'Search customers' }] },
        table,
      ]),
      state: { search: '' },
      data: { bench: { operation: 'bench.read', with: { search: 'state.search' } } },
    },
    data: reply({ Items: rows }),
  },
  match: {
    layout: {
      ...screen('match', [
        { type: 'toolbar', children: [{ type: 'search', path: 'state.search', label: 'Search customers' }] },
        matching,
      ]),
      state: { search: '', show: '' },
    },
    data: reply({ Items: matchItems.map(item => ({ ...item, ignored: false })), Options: matchOptions }),
  },
  screen: {
    layout: { ...screen('screen', [tabbed]), state: { tab: 'services' } },
    popups: { edit: editing },
    data: { ...reply({ Items: rows.slice(0, 25) }), values: { Succeed: true, Result: initialValues } },
  },
};

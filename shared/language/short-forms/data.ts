import { keyNames, oneOf, titleNames } from '../field-names.ts';
import type { ShortForm } from '../short-form.ts';

/** What is read: paths, data sources and values, and the lists that show them. */
export const dataForms: readonly ShortForm[] = [
  {
    name: 'paths',
    says: 'The path of a reply leaves out "Result". What stands beside it has a "$": $Succeed, $Error, $Errors, $Messages.',
    short: { subject: 'data.customers.Total', values: { ok: 'data.customers.$Succeed' } },
    long: { subject: 'data.customers.Result.Total', values: { ok: 'data.customers.Succeed' } },
  },
  {
    name: 'data sources',
    says: 'A string is an operation; an operation with bindings is the operation and its "with". It is read again on the events that the operation names in "refreshOn".',
    short: {
      data: {
        ...{ one: 'example.one', people: 'example.people' },
        customers: { 'example.customers': ['route.page'], every: 5000 },
      },
    },
    long: {
      data: {
        people: { operation: 'example.people', refreshOn: ['services'] },
        one: { operation: 'example.one' },
        customers: { operation: 'example.customers', with: { page: 'route.page' }, every: 5000 },
      },
    },
  },
  {
    name: 'joined rows',
    says: 'A data source with "rows" joins the rows of another one: a row has the item of the reply that is its own under the name of the data source. What the contract says of that gives format and catalogue, as of any field; nothing sorts or filters by it.',
    short: {
      data: {
        customers: 'example.customers',
        orders: { 'example.orders': { ids: 'row.Id' }, rows: 'data.customers.Items', by: 'CustomerId' },
      },
      children: [
        {
          ...{ table: 'data.customers.Items', columns: ['Name', { 'example.number': 'orders.Open' }] },
          empty: { title: 'example.nothing' },
        },
      ],
    },
    long: {
      data: {
        customers: { operation: 'example.customers' },
        orders: {
          ...{ operation: 'example.orders', with: { ids: 'row.Id' } },
          ...{ rows: 'data.customers.Result.Items', by: 'CustomerId' },
        },
      },
      children: [
        {
          ...{ type: 'table', rows: 'data.customers.Result.Items', id: 'customers', testId: 'customers-table' },
          ...{ label: 'example.title', key: 'Id' },
          columns: [
            { id: 'name', title: 'example.name', path: 'row.Name', priority: 'lead' },
            { id: 'open', title: 'example.number', path: 'row.orders.Open', format: 'number' },
          ],
          empty: { title: 'example.nothing', text: 'example.nothingText' },
        },
      ],
    },
  },
  {
    name: 'bindings',
    says: 'In a list a path gives the parameter, or value of a text, that is named as it ends; an object gives those that it names.',
    short: { values: ['data.one.Name', { count: 'data.customers.Total' }] },
    long: { values: { name: 'data.one.Result.Name', count: 'data.customers.Result.Total' } },
  },
  {
    name: 'words of parameters',
    says: 'A word that the operation declares of a parameter ("enum") stands for itself, as an order does.',
    short: { data: { sorted: { 'example.customers': { sort: '-Name', page: 1 } } } },
    long: { data: { sorted: { operation: 'example.customers', with: { sort: { value: '-Name' }, page: 1 } } } },
  },
  {
    name: 'values of texts',
    says: 'What the contract says is money, a share, a size, a day or a moment is written so, where no other format is named. Words and numbers are as they are: by a number a text chooses between one and many.',
    short: { children: [{ text: 'example.spent', values: { spend: 'data.customers.Spend' } }] },
    long: {
      children: [
        {
          ...{ type: 'text', text: 'example.spent' },
          values: { spend: { path: 'data.customers.Result.Spend', format: 'currency' } },
        },
      ],
    },
  },
  {
    name: 'conditions',
    says: 'Each name of a condition is a test, and all must hold: a path with its value, with a list of those that it may have, or with another comparison; "given" and "empty" with a path or a list of paths.',
    short: {
      children: [
        { text: 'example.hello', when: { 'route.tab': 'users', given: 'data.one.Name' } },
        { text: 'example.text', when: { not: { 'route.tab': ['users', 'billing'] } } },
        { text: 'example.many', when: { 'data.customers.Total': { atLeast: 100 } } },
      ],
    },
    long: {
      children: [
        {
          ...{ type: 'text', text: 'example.hello' },
          when: {
            all: [
              { path: 'route.tab', is: 'users' },
              { path: 'data.one.Result.Name', empty: false },
            ],
          },
        },
        { type: 'text', text: 'example.text', when: { not: { path: 'route.tab', in: ['users', 'billing'] } } },
        { type: 'text', text: 'example.many', when: { path: 'data.customers.Result.Total', atLeast: 100 } },
      ],
    },
  },
  {
    name: 'columns',
    says: 'In the columns of a table a string is a field of the row. What its contract says gives format and catalogue, the orders of the operation whether it can be sorted by (where the data source has an order), its name the title. The first one leads; one with "?" behind its path is of low priority: it goes first where there is no room. To write another "priority" beside it is an error.',
    short: {
      children: [{ table: 'data.customers.Items', columns: ['Name', 'Spend?'], empty: { title: 'example.nothing' } }],
    },
    long: {
      children: [
        {
          ...{ type: 'table', rows: 'data.customers.Result.Items', id: 'customers', testId: 'customers-table' },
          ...{ label: 'example.title', key: 'Id' },
          columns: [
            { id: 'name', title: 'example.name', path: 'row.Name', priority: 'lead' },
            { id: 'spend', title: 'example.spend', path: 'row.Spend', format: 'currency', priority: 'low' },
          ],
          empty: { title: 'example.nothing', text: 'example.nothingText' },
        },
      ],
    },
  },
  {
    name: 'paging and orders',
    says: 'Pages and orders are where the data source has its parameters page, pageSize and sort from; the total is the field Total, with TotalIsExact where there is one. A list in place of "paging" gives its sizes, a string in place of "sort" the first order.',
    short: {
      data: { customers: { 'example.customers': ['route.page', 'route.sort', { pageSize: 'route.size' }] } },
      children: [
        {
          ...{ table: 'data.customers.Items', label: 'example.customers', columns: ['Name'], sort: 'Name' },
          ...{ paging: [10, 20], empty: { title: 'example.nothing', text: false } },
        },
      ],
    },
    long: {
      data: {
        customers: {
          operation: 'example.customers',
          with: { page: 'route.page', sort: 'route.sort', pageSize: 'route.size' },
        },
      },
      children: [
        {
          ...{ type: 'table', rows: 'data.customers.Result.Items', id: 'customers', testId: 'customers-table' },
          ...{ label: 'example.customers', key: 'Id', empty: { title: 'example.nothing' } },
          columns: [{ id: 'name', title: 'example.name', path: 'row.Name', sort: 'Name', priority: 'lead' }],
          sort: { path: 'route.sort', initial: 'Name' },
          paging: {
            ...{ page: 'route.page', size: 'route.size', sizes: [10, 20] },
            total: 'data.customers.Result.Total',
          },
        },
      ],
    },
  },
  {
    name: 'lists',
    says: `Items are told apart by their first field where that is an id, else by ${oneOf(keyNames)}, and called by their ${oneOf(titleNames)}, the first of these that they have. Where nothing is there the text named "none" says so, and where nothing matches the one named "noMatch".`,
    short: { children: [{ list: 'data.customers.Items' }] },
    long: {
      children: [
        {
          ...{ type: 'list', rows: 'data.customers.Result.Items', testId: 'items-list', label: 'example.title' },
          ...{ key: 'Id', titlePath: 'row.Name', emptyText: 'example.none' },
        },
      ],
    },
  },
  {
    name: 'counts',
    says: 'Tabs and segments say how many there are of each, where a list that they narrow has, in Counts of its operation, a field that is called as the value, or All for what has none; the first such list counts.',
    short: {
      data: { people: { 'example.people': ['route.status'] } },
      children: [
        { filter: 'route.status', look: 'tabs', options: [{ '': 'example.total' }, { active: 'example.active' }] },
      ],
    },
    long: {
      data: { people: { operation: 'example.people', with: { status: 'route.status' }, refreshOn: ['services'] } },
      children: [
        {
          ...{ type: 'filter', path: 'route.status', look: 'tabs', label: 'example.status', testId: 'status' },
          options: [
            { value: '', text: 'example.total', count: 'data.people.Result.Counts.All' },
            { value: 'active', text: 'example.active', count: 'data.people.Result.Counts.Active' },
          ],
        },
      ],
    },
  },
  {
    name: 'filters',
    says: 'A search, filter or day takes readers back to the first page of the lists that it narrows, and a table knows the places that narrow it. A search says in its box what it is called.',
    short: {
      data: { customers: { 'example.customers': ['route.page', 'route.search'] } },
      children: [{ search: 'route.search', label: 'example.searching' }],
    },
    long: {
      data: {
        customers: { operation: 'example.customers', with: { page: 'route.page', search: 'route.search' } },
      },
      children: [
        {
          ...{ type: 'search', path: 'route.search', label: 'example.searching' },
          ...{ placeholder: 'example.searching', testId: 'search', resets: ['route.page'] },
        },
      ],
    },
  },
  {
    name: 'pairs',
    says: 'In lists of facts, columns, options, entries of a catalogue or menu, tabs and crumbs one name that is no property stands, with its value, for two: label and path, title and path, value and text, text and address, title and children.',
    short: {
      crumbs: [{ 'example.customers': '/example' }],
      children: [{ facts: ['data.customers.Total', { 'example.number': 'data.customers.Total' }] }],
    },
    long: {
      crumbs: [{ text: 'example.customers', to: '/example' }],
      children: [
        {
          type: 'facts',
          items: [
            { path: 'data.customers.Result.Total', label: 'example.total', format: 'number' },
            { path: 'data.customers.Result.Total', label: 'example.number', format: 'number' },
          ],
        },
      ],
    },
  },
  {
    name: 'entries of a catalogue',
    says: 'As above, a value with its text.',
    kind: 'catalogue',
    short: { entries: [{ Active: 'example.active', kind: 'ok' }] },
    long: { entries: [{ value: 'Active', text: 'example.active', kind: 'ok' }] },
  },
];

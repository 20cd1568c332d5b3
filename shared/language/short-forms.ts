/** A part of a document in short form, with the same part in its long form. */
export type ShortForm = {
  readonly name: string;
  readonly says: string;
  /** Kind of the document that it is a part of: of a screen, where nothing else is said. */
  readonly kind?: 'screen' | 'popup' | 'form' | 'journey' | 'catalogue' | 'navigation';
  readonly short: Readonly<Record<string, unknown>>;
  readonly long: Readonly<Record<string, unknown>>;
};

/**
 * Every short form, each with one reading. Which property is the head of a node or effect, and what a node in short form
 * need not say, stands in its schema (`short`). The examples read `data.customers`, the operation `example.customers`.
 */
export const shortForms: readonly ShortForm[] = [
  {
    name: 'paths',
    says: 'The path of a reply leaves out "Result". What stands beside it has a "$": $Succeed, $Error, $Errors, $Messages.',
    short: { subject: 'data.customers.Total', values: { ok: 'data.customers.$Succeed' } },
    long: { subject: 'data.customers.Result.Total', values: { ok: 'data.customers.Succeed' } },
  },
  {
    name: 'heads',
    says: 'A node or effect may begin with its type and its main value in one: "type" or "do" is left out. Such a node or effect is in short form: the defaults below hold for it and for the entries of its lists. What is written wins over a default, and `false` says that there is none.',
    short: { children: [{ text: 'example.hello' }, { section: 'example.name', children: [] }] },
    long: {
      children: [
        { type: 'text', text: 'example.hello' },
        { type: 'section', title: 'example.name', children: [] },
      ],
    },
  },
  {
    name: 'fields',
    says: 'In "fields" a string is the name of a field. It must have a value unless "?" follows. Its label is the text of its name, its test id its name; its kind is that of a word in its name, such as email, and else text, and what its kind takes at most is known.',
    kind: 'form',
    short: { fields: ['Name', 'Email?', { field: 'Password', autocomplete: false, label: false }] },
    long: {
      fields: [
        {
          ...{ type: 'field', propertyName: 'Name', mandatory: true },
          ...{ kind: 'text', maxLength: 100, label: 'example.name', testId: 'name' },
        },
        {
          ...{ type: 'field', propertyName: 'Email', kind: 'email', maxLength: 200 },
          ...{ label: 'example.email', testId: 'email' },
        },
        {
          ...{ type: 'field', propertyName: 'Password', mandatory: true },
          ...{ kind: 'password', maxLength: 256, testId: 'password' },
        },
      ],
    },
  },
  {
    name: 'texts',
    says: 'A text that is not written is found by name: <area>.<document>.<name>, then <area>.<name>. Where neither is there, that is an error which names both. The area is the folder of the document, or what "texts" says.',
    kind: 'form',
    short: { texts: 'people', fields: ['Name'] },
    long: {
      fields: [
        {
          ...{ type: 'field', propertyName: 'Name', mandatory: true },
          ...{ kind: 'text', maxLength: 100, label: 'people.name', testId: 'name' },
        },
      ],
    },
  },
  {
    name: 'columns',
    says: 'In the columns of a table a string is a field of the row. What its contract says gives format and catalogue, the orders of the operation whether it can be sorted by (where the data source has an order), its name the title. The first one leads; one with "?" behind its path is of low priority: it goes first where there is no room.',
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
    says: 'Items are told apart by their first field where that is an id, else by Id or Key, and called by their Name, Title or DisplayName, the first of these that they have. Where nothing is there the text named "none" says so, and where nothing matches the one named "noMatch".',
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
    says: 'Tabs and segments say how many there are of each, where Counts of the operation that they narrow has a field that is called as the value, or All for what has none.',
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
    name: 'bindings',
    says: 'In a list a path gives the parameter, or value of a text, that is named as it ends; an object gives those that it names.',
    short: { values: ['data.one.Name', { count: 'data.customers.Total' }] },
    long: { values: { name: 'data.one.Result.Name', count: 'data.customers.Result.Total' } },
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
    name: 'buttons that lead somewhere',
    says: 'A button with "to" or "external" is a link that looks as a button.',
    short: { children: [{ button: 'example.open', to: '/example' }] },
    long: {
      children: [{ type: 'link', text: 'example.open', to: '/example', look: 'button', testId: 'open' }],
    },
  },
  {
    name: 'effects',
    says: 'One effect stands for a list of it, and an effect that needs nothing else is its name. "press" stands for "on" with "press". A toast is of kind ok.',
    short: {
      children: [
        { button: 'example.close', press: ['close-popup', { toast: 'example.saved' }] },
        { button: 'example.open', press: { navigate: '/example' } },
      ],
    },
    long: {
      children: [
        {
          ...{ type: 'button', text: 'example.close', testId: 'close' },
          on: { press: [{ do: 'close-popup' }, { do: 'toast', text: 'example.saved', kind: 'ok' }] },
        },
        {
          ...{ type: 'button', text: 'example.open', testId: 'open' },
          on: { press: [{ do: 'navigate', to: '/example' }] },
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
    name: 'ids of documents',
    says: 'A document is called as its file, without the "-form" of a form. One that leaves its id out is in short form itself: its title is the text <area>.<document>.title, and a popup is small.',
    kind: 'popup',
    short: {},
    long: { id: 'example', title: 'example.example.title', size: 'small' },
  },
  {
    name: 'texts beside texts',
    says: 'Where there is a text that has the key of another and a word more, it goes with it: Text below a title, Busy and Failed of a button, Explanation and LeftOut of what is done with several rows; Placeholder, Hint, Missing and Invalid of a field.',
    short: { children: [{ form: 'example', submit: 'example.save', on: ['sign-out'] }] },
    long: {
      children: [
        {
          ...{ type: 'form', form: 'example', id: 'example', testId: 'example-form' },
          ...{ submit: 'example.save', busy: 'example.saveBusy', on: { submit: [{ do: 'sign-out' }] } },
        },
      ],
    },
  },
  {
    name: 'forms',
    says: 'The button of a form is called <area>.<document>.submit. A list in place of "on" is what it does then. In a popup a second button closes it, where there is a text "cancel".',
    kind: 'popup',
    short: { children: [{ form: 'example', on: ['sign-out'] }] },
    long: {
      ...{ id: 'example', title: 'example.example.title', size: 'small' },
      children: [
        {
          ...{ type: 'form', form: 'example', id: 'example', testId: 'example-form' },
          ...{ submit: 'example.example.submit', cancel: 'example.cancel' },
          on: { submit: [{ do: 'sign-out' }], cancel: [{ do: 'close-popup' }] },
        },
      ],
    },
  },
  {
    name: 'journeys',
    says: 'A call in "prepare" or "quote" is written as a data source. A list as "body" has a field for each path, named as the path ends; "?" behind it is an empty text for what is not there. A step has its title from the text of its id, and its button from the text "next" where there is one, the wizard its own texts from "steps" and "back".',
    kind: 'journey',
    short: {
      prepare: { one: 'example.one' },
      steps: [{ id: 'name', submit: 'example.save' }],
      place: {
        operation: 'example.one',
        body: ['answers.name.Name', 'answers.name.Email?', { Colour: { value: 'red' } }],
      },
    },
    long: {
      prepare: { one: { operation: 'example.one' } },
      steps: [{ id: 'name', title: 'example.name', submit: 'example.save', busy: 'example.saveBusy' }],
      place: {
        operation: 'example.one',
        body: {
          Name: 'answers.name.Name',
          Email: { path: 'answers.name.Email', default: '' },
          Colour: { value: 'red' },
        },
      },
    },
  },
  {
    name: 'what parts are given',
    says: 'Where the parameter of a part is of the kind nodes or columns, what it is given is written as these are.',
    short: {
      children: [
        {
          part: 'rows',
          with: { end: [{ button: 'example.close', press: 'close-popup' }], columns: [{ 'example.number': 'Spend' }] },
        },
      ],
    },
    long: {
      children: [
        {
          part: 'rows',
          with: {
            end: [
              {
                ...{ type: 'button', text: 'example.close', testId: 'close' },
                on: { press: [{ do: 'close-popup' }] },
              },
            ],
            columns: [{ id: 'spend', title: 'example.number', path: 'row.Spend' }],
          },
        },
      ],
    },
  },
  {
    name: 'icons',
    says: 'A button, link or entry of a menu whose text is named by one of these verbs has its symbol: add, copy, delete, download, export, reactivate, refresh, rename, suspend.',
    short: { children: [{ button: 'example.exportAll', press: 'sign-out' }] },
    long: {
      children: [
        {
          ...{ type: 'button', text: 'example.exportAll', icon: 'download', testId: 'export-all' },
          on: { press: [{ do: 'sign-out' }] },
        },
      ],
    },
  },
];

import type { ShortForm } from '../short-form.ts';

/** What is drawn and done: nodes, their texts and effects, and the documents that they stand in. */
export const nodeForms: readonly ShortForm[] = [
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
    says: 'In "fields", and in the "children" of forms, of rows of fields and of steps, a string is the name of a field. It must have a value unless "?" follows, beside which "mandatory" may be a condition, but not true. Its label is the text of its name, its test id its name; its kind is that of a word in its name, such as email, and else text, and what its kind takes at most is known.',
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
    name: 'buttons that lead somewhere',
    says: 'A button with "to" or "external" is a link that looks as a button.',
    short: { children: [{ button: 'example.open', to: '/example' }] },
    long: {
      children: [{ type: 'link', text: 'example.open', to: '/example', look: 'button', testId: 'open' }],
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
    name: 'ids of documents',
    says: 'A document is called as its file, without the "-form" of a form. One that leaves its id out is in short form itself: its title is the text <area>.<document>.title, and a popup is small.',
    kind: 'popup',
    short: {},
    long: { id: 'example', title: 'example.example.title', size: 'small' },
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
    name: 'wizards',
    says: 'A node that names a journey is its wizard, and is called as the journey.',
    short: { children: [{ journey: 'welcome', with: ['data.one.Name'] }] },
    long: { children: [{ type: 'steps', id: 'welcome', journey: 'welcome', with: { name: 'data.one.Result.Name' } }] },
  },
  {
    name: 'fields of steps',
    says: 'A step asks its fields as a form does.',
    kind: 'journey',
    short: { steps: [{ id: 'name', submit: 'example.save', children: ['Name', 'Email?'] }] },
    long: {
      steps: [
        {
          ...{ id: 'name', title: 'example.name', submit: 'example.save', busy: 'example.saveBusy' },
          children: [
            {
              ...{ type: 'field', propertyName: 'Name', mandatory: true },
              ...{ kind: 'text', maxLength: 100, label: 'example.name', testId: 'name' },
            },
            {
              ...{ type: 'field', propertyName: 'Email', kind: 'email', maxLength: 200 },
              ...{ label: 'example.email', testId: 'email' },
            },
          ],
        },
      ],
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
];

import { type PatternName, patterns } from './patterns.ts';
import {
  binding,
  bindings,
  catalogue,
  common,
  condition,
  effects,
  name,
  nodes,
  path,
  place,
  requires,
  rows,
  text,
} from './primitives.ts';

/** The spec's dynamic-form field and popup item, one model (document 2, sections 3 and 5). */
export const fieldKinds = [
  'text',
  'password',
  'number',
  'email',
  'phone',
  'text-area',
  'checkbox',
  'switch',
  'radio',
  'select',
  'date',
  'display',
  'hidden',
  'one-time-code',
  'list',
] as const;

const option = {
  title: 'Units',
  type: 'array',
  maxItems: 500,
  items: {
    type: 'object',
    required: ['value', 'text'],
    additionalProperties: false,
    properties: { requires, value: { type: ['string', 'number', 'boolean'] }, text, hint: text },
  },
} as const;

export const field = {
  description: 'One value of a form. A field that a condition hides or disables is not sent.',
  type: 'object',
  required: ['type', 'propertyName', 'kind'],
  additionalProperties: false,
  properties: {
    type: { const: 'field' },
    ...common,
    propertyName: {
      type: 'string',
      pattern: '^[A-Za-z][A-Za-z0-9_]*$',
      maxLength: 80,
      description: 'Name of the value in the body.',
    },
    kind: {
      enum: fieldKinds,
      description: 'What is asked for. The kinds email and phone are patterns too: see "pattern".',
    },
    label: text,
    mandatory: { type: 'boolean', description: 'True when a value must be given (a checkbox: must be ticked).' },
    mandatoryMessage: { ...text, description: 'Said when the value is missing, in place of "{field} is required".' },
    pattern: {
      enum: Object.keys(patterns) as PatternName[],
      description: `Pattern of a non-empty value, with a message of its own. ${Object.entries(patterns)
        .map(([name, takes]) => `${name}: ${takes}`)
        .join('; ')}.`,
    },
    regex: {
      type: 'string',
      maxLength: 500,
      description: 'As "pattern", where none of these fits: an expression, the same V8 RegExp in browser and server.',
    },
    invalidMessage: {
      ...text,
      description:
        'Said in place of every other message when a value is not of its kind, pattern or required value. Lengths and bounds have messages of their own.',
    },
    requiredValue: { type: ['string', 'number', 'boolean'], description: 'The value must equal this exactly.' },
    minLength: { type: 'integer', minimum: 0 },
    maxLength: { type: 'integer', minimum: 1, maximum: 1000000 },
    min: { type: ['number', 'string'], description: 'Least number, or first day as YYYY-MM-DD.' },
    max: { type: ['number', 'string'], description: 'Greatest number, or last day.' },
    options: option,
    catalogue: { ...catalogue, description: 'Options from a catalogue document.' },
    placeholder: text,
    toolTip: { ...text, description: 'A hint below the field.' },
    message: { ...text, description: 'A note below the label.' },
    autocomplete: { type: 'string', pattern: '^[a-z-]+( [a-z-]+)*$', description: 'The HTML autocomplete token.' },
    key: { ...name, title: 'KeyName', description: 'Of a list: the field of an item that is its entry.' },
    item: {
      description: 'Of a list with a key: what every item that is sent has beside it.',
      type: 'object',
      maxProperties: 10,
      propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    },
    initial: { ...binding, description: 'First value, when the form has none for it.' },
    readOnly: { type: 'boolean', description: 'Shown but never sent; refused if sent.' },
    disabledWhen: condition,
    wide: { type: 'boolean', description: 'Takes both columns of a two-column form.' },
    action: { ...nodes, maxItems: 1, description: 'A link or button beside the label (Edit, Forgot password).' },
  },
} as const;

/**
 * Values that are typed, checked and sent. `form` names the form document that holds the fields and that the
 * operation or command of `submit` declares as its body; without it the fields stand in `children`.
 */
export const form = {
  description: 'Values that are typed, checked and sent.',
  type: 'object',
  required: ['type', 'id', 'submit', 'on'],
  additionalProperties: false,
  properties: {
    type: { const: 'form' },
    ...common,
    form: { title: 'FormName', type: 'string', pattern: '^[a-z][a-z0-9-]*$', description: 'Id of the form document.' },
    initial: { ...path, title: 'InitialPath', description: 'Object whose fields are the first values.' },
    submit: { ...text, description: 'Text of the submit button.' },
    busy: { ...text, description: 'Its text while submitting.' },
    cancel: { ...text, description: 'Text of the second button; needs on.cancel.' },
    danger: { type: 'boolean' },
    large: { type: 'boolean', description: 'True for the roomy form of the sign-in card.' },
    twoColumns: { type: 'boolean' },
    pristine: {
      type: 'boolean',
      description:
        'Whether unchanged values may be submitted; absent: unless there are initial ones. With false nothing is sent while all is blank.',
    },
    errorTitle: { ...text, description: 'Heading of the alert that shows what the server said.' },
    children: nodes,
    on: {
      title: 'Handlers',
      type: 'object',
      required: ['submit'],
      additionalProperties: false,
      properties: { submit: effects, cancel: effects },
    },
  },
} as const;

/**
 * How a new password stands while it is typed (document 1, section 5): a meter of 0 to 4, and a checklist of the rules
 * that have a name. The server judges; `check` runs with every pause and answers with `score`, `isStrong` and `named`.
 */
export const strength = {
  description: 'How a new password stands while it is typed: a meter, and a checklist of its rules.',
  type: 'object',
  required: ['type', 'path', 'label', 'strong', 'weak', 'met', 'unmet', 'on'],
  additionalProperties: false,
  properties: {
    type: { const: 'strength' },
    ...common,
    path: { ...path, description: 'Path of the password.' },
    label: { ...text, description: 'Name of the meter.' },
    strong: { ...text, description: 'Said once the score reaches what the rules ask for.' },
    weak: { ...text, description: 'Said before.' },
    met: { ...text, description: 'Said of a rule that is met, for those who do not see its mark.' },
    unmet: { ...text, description: 'Said of a rule that is not met yet.' },
    on: {
      title: 'Handlers',
      type: 'object',
      required: ['check'],
      additionalProperties: false,
      properties: { check: effects },
    },
  },
} as const;

export const tickAll = {
  description: 'A box that ticks and unticks boxes of its form; half ticked while only some are.',
  type: 'object',
  required: ['type', 'label', 'fields'],
  additionalProperties: false,
  properties: {
    type: { const: 'tick-all' },
    ...common,
    label: text,
    fields: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
      minItems: 1,
      maxItems: 1000,
      description: 'Names of the boxes.',
    },
  },
} as const;

export const search = {
  description: 'A search box whose words are kept in a place.',
  type: 'object',
  required: ['type', 'path', 'label'],
  additionalProperties: false,
  properties: {
    type: { const: 'search' },
    ...common,
    path: place,
    label: text,
    placeholder: text,
    resets: { type: 'array', items: place, description: 'Places to clear when the words change (the page).' },
  },
} as const;

/** One choice that narrows a list, kept in a place: tabs with counts, or a select. */
export const filter = {
  description: 'One choice that narrows a list; kept in a place.',
  type: 'object',
  required: ['type', 'path', 'label'],
  additionalProperties: false,
  properties: {
    type: { const: 'filter' },
    ...common,
    path: place,
    label: text,
    look: { enum: ['tabs', 'select', 'segments'] },
    rows: { ...rows, description: 'Further choices, after `options`; `title` reads one of them as row.…' },
    title: { ...path, description: 'What such a choice is called.' },
    key: { ...name, title: 'KeyName', description: 'Field of it that is its value; else what it is called.' },
    resets: { type: 'array', items: place, description: 'Places to clear when the choice changes (the page).' },
    options: {
      title: 'Units',
      type: 'array',
      minItems: 1,
      maxItems: 60,
      items: {
        type: 'object',
        required: ['value', 'text'],
        additionalProperties: false,
        properties: {
          requires,
          testId: common.testId,
          value: { type: 'string', description: 'Empty for "all".' },
          text,
          count: path,
        },
      },
    },
  },
} as const;

/** A day that narrows a list, as YYYY-MM-DD. */
export const day = {
  description: 'A day that narrows a list; kept in a place.',
  type: 'object',
  required: ['type', 'path', 'label'],
  additionalProperties: false,
  properties: {
    type: { const: 'day' },
    ...common,
    path: place,
    label: text,
    resets: filter.properties.resets,
  },
} as const;

/**
 * A form or popup that the cloud delivers at run time in the spec's wire form: the dynamic form
 * (`GET /api/dynamicForm/{formId}`) or the generic popup (document 2, section 3). `operations` lists every
 * operation that its paths may resolve to; anything else is refused.
 */
export const delivered = {
  description: 'A dynamic form or generic popup that the cloud delivers at run time.',
  type: 'object',
  required: ['type', 'id', 'model', 'operation', 'operations', 'submit'],
  additionalProperties: false,
  properties: {
    type: { const: 'delivered' },
    ...common,
    model: { enum: ['dynamic-form', 'generic-popup'] },
    operation: { title: 'OperationName', type: 'string', description: 'Operation that delivers the model.' },
    with: bindings,
    operations: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: { title: 'OperationName', type: 'string' },
      description:
        'Operations that the delivered paths may resolve to; for a dynamic form, the one that takes its values.',
    },
    submit: text,
    busy: text,
    cancel: text,
    on: {
      title: 'Handlers',
      type: 'object',
      additionalProperties: false,
      properties: { done: effects, cancel: effects },
    },
  },
} as const;

/**
 * One item of a list that a search on the server narrows (document 1, section 2.5): what is typed goes to `words` after
 * 200 ms, from no character on, a data source reads it and gives the rows. Pattern: WAI-ARIA, editable combobox.
 */
export const combobox = {
  description: 'Chooses one item of a list that a search on the server narrows; kept in a place.',
  type: 'object',
  required: ['type', 'id', 'path', 'words', 'label', 'rows', 'key', 'title', 'empty'],
  additionalProperties: false,
  properties: {
    type: { const: 'combobox' },
    ...common,
    path: { ...place, description: 'Where the key of the chosen item is kept.' },
    words: { ...place, description: 'Where what is typed is kept, for the data source that searches.' },
    label: text,
    placeholder: text,
    rows,
    key: { ...name, title: 'KeyName', description: 'Field of an item that identifies it.' },
    title: path,
    detail: path,
    status: path,
    catalogue: { ...catalogue, description: 'Words and shapes for the codes that status holds.' },
    mark: { ...path, description: 'Items where this is true carry markText.' },
    markText: text,
    disabledWhen: { ...condition, description: 'Items that cannot be chosen; they stay readable.' },
    empty: { ...text, description: 'Said when nothing matches.' },
  },
} as const;

/**
 * A name drawn with a pointer or typed, as the data URL of a PNG (document 1, section 7, signature image): the value of
 * the field inside, which says what it is called, whether it must be given, and what is said when it is missing.
 */
export const signature = {
  description: 'A name drawn with a pointer or typed: the value of the field inside, as the data URL of a PNG.',
  type: 'object',
  required: ['type', 'typed', 'clear', 'children'],
  additionalProperties: false,
  properties: {
    type: { const: 'signature' },
    ...common,
    typed: { ...text, description: 'Label of the input for those who type their name.' },
    clear: { ...text, description: 'Text of the button that empties it.' },
    children: { ...nodes, minItems: 1, maxItems: 1, description: 'The field: of kind text.' },
  },
} as const;

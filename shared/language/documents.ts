import { journey } from './journey.ts';
import { operations } from './operation.ts';
import { partDocument } from './part.ts';
import {
  address,
  bindings,
  common,
  condition,
  effects,
  externalAddress,
  fieldNodes,
  icon,
  name,
  nodes,
  path,
  requestable,
  requires,
  rows,
  text,
} from './primitives.ts';
import { access, catalogueDocument, documentName, eventName, operationName, schemaLine, texts } from './vocabulary.ts';

/** A data source: an operation whose reply the document reads as `data.<name>`. */
const source = {
  short: {
    bare: 'operation',
    pair: ['operation', 'with'],
    defaults: { refreshOn: { known: 'refreshOn', of: 'operation' } },
  },
  type: 'object',
  required: ['operation'],
  additionalProperties: false,
  properties: {
    requires,
    operation: operationName,
    with: bindings,
    when: condition,
    rows: {
      ...rows,
      description:
        'The list of another data source that this one joins: each row gets the item of the reply that is its own, read as row.<name of this data source>.…. The operation is asked once for a page of rows, with their keys in the parameter that reads row.…, separated by commas.',
    },
    by: {
      ...name,
      title: 'JoinKey',
      description: 'Of a data source with "rows", the field of an item of its reply that holds the key of the row.',
    },
    as: {
      ...name,
      description: 'What the rows call what is joined, where that is not the name of the data source.',
    },
    every: { title: 'Every', type: 'integer', minimum: 5000, description: 'Reads again after this many milliseconds.' },
    everyPath: {
      ...path,
      description: 'Where it stands after how many milliseconds it is read again, in place of `every`.',
    },
    refreshOn: { type: 'array', items: eventName, description: 'Events that make it read again.' },
    essential: {
      type: 'boolean',
      description: 'True for what the screen is about: when it is not there, neither is the screen.',
    },
  },
} as const;

const data = {
  title: 'Sources',
  description: 'Data sources by name. Read when their parameters are there, and again when these change.',
  type: 'object',
  propertyNames: { pattern: '^[a-z][A-Za-z0-9]*$' },
  additionalProperties: source,
} as const;

const state = {
  title: 'State',
  description: 'Page-local values by name, with their first value.',
  type: 'object',
  propertyNames: { pattern: '^[a-z][A-Za-z0-9]*$' },
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
} as const;

/** What differs in a document that is the same otherwise; the type of document says what else may. */
const also = (required: readonly string[], differing: object) =>
  ({
    description: 'Documents that are this one but for what each of them says.',
    type: 'array',
    minItems: 1,
    maxItems: 20,
    items: {
      type: 'object',
      required: ['id', ...required],
      additionalProperties: false,
      properties: { id: documentName, title: text, state, ...differing },
    },
  }) as const;

const route = {
  title: 'Route',
  type: 'string',
  pattern: '^/[A-Za-z0-9/{}_.+-]*$',
  maxLength: 200,
  description: 'Address with {parameter} parts.',
} as const;

export const screen = {
  short: { defaults: { title: { ownText: 'title', orOfArea: true }, help: { namedText: 'help' } } },
  description: 'A page with an address.',
  type: 'object',
  required: ['$schema', 'id', 'route', 'title', 'requires', 'children'],
  additionalProperties: false,
  properties: {
    $schema: schemaLine,
    id: documentName,
    route,
    aliases: {
      type: 'array',
      items: route,
      maxItems: 10,
      description: 'Other addresses that lead to this one; parameters that the route lacks go into its query.',
    },
    query: {
      type: 'array',
      items: { ...name, description: 'A name in the query of the address.' },
      uniqueItems: true,
      maxItems: 30,
      description:
        'Names in the query of its address that come from outside, beside the places of its nodes; read as route.<name>.',
    },
    also: also(['route'], { route, requires, requestable, subjectText: text }),
    requires,
    requestable: {
      ...requestable,
      description:
        'What the screen is called for those who lack a right for it and may ask for that: its address leads them to where they ask (/access-denied/…). Needs "requires" that rights can meet.',
    },
    title: { ...text, description: 'Heading and document title.' },
    subject: { ...path, description: 'What the screen is about by name, in place of the title once it is known.' },
    subjectText: {
      ...text,
      description: 'What the screen is called once its subject is known, where that is more than the bare name.',
    },
    values: common.values,
    help: {
      ...text,
      description:
        'What the screen is for and who may do what, opened beside the heading; each line is a paragraph. The text "help" of the document or its area.',
    },
    shell: {
      enum: ['full', 'gate'],
      description: 'full: header and footer; gate: a centred card (sign-in, public pages).',
    },
    awaits: {
      enum: ['password', 'new-password'],
      description:
        'The step of signing in that goes on here; a browser that is not in it is led to the login. password: for the username of the address.',
    },
    heading: { enum: ['shown', 'hidden'], description: 'hidden: the content brings its own heading.' },
    crumbs: {
      title: 'Units',
      description: 'Breadcrumbs before this screen, from the start; one whose text is empty is not shown.',
      type: 'array',
      maxItems: 6,
      items: {
        short: { pair: ['text', 'to'] },
        type: 'object',
        required: ['text', 'to'],
        additionalProperties: false,
        properties: { requires, text, values: common.values, to: { ...address } },
      },
    },
    data,
    state,
    signOutQuestion: {
      ...text,
      description: 'Asked before the session is ended from here, whether anything was typed or not.',
    },
    meta: { ...nodes, description: 'Short facts below the heading.' },
    actions: { ...nodes, description: 'What one does here, beside the heading.' },
    children: nodes,
  },
} as const;

export const popup = {
  short: { defaults: { title: { ownText: 'title' }, size: { is: 'small' } } },
  description: 'A dialog over a screen.',
  type: 'object',
  required: ['$schema', 'id', 'title', 'children'],
  additionalProperties: false,
  properties: {
    $schema: schemaLine,
    id: documentName,
    requires,
    title: text,
    values: common.values,
    size: {
      enum: ['small', 'medium', 'large', 'xlarge', 'panel'],
      description: 'panel: beside the page, which stays in use; the others are dialogs over it.',
    },
    also: also([], {}),
    closeable: { type: 'boolean', description: 'False for a popup that must be answered.' },
    on: {
      title: 'Handlers',
      type: 'object',
      required: ['close'],
      additionalProperties: false,
      properties: {
        close: {
          ...effects,
          description: 'Run when it is closed by Escape or its cross, which no failure keeps open.',
        },
      },
    },
    parameters: {
      type: 'array',
      items: name,
      maxItems: 20,
      description: 'Names that open-popup gives; read as popup.<name>.',
    },
    data,
    state,
    children: nodes,
  },
} as const;

/** The fields of one body: the one rule for what an operation takes, in browser and server. */
export const formDocument = {
  description: 'The fields of a body. A form node shows them; the operation that declares it takes nothing else.',
  type: 'object',
  required: ['$schema', 'id', 'fields'],
  additionalProperties: false,
  properties: {
    $schema: schemaLine,
    id: documentName,
    requires,
    fields: { ...fieldNodes, minItems: 1 },
  },
} as const;

const entry = {
  short: {
    pair: ['text', 'to'],
    defaults: { id: { name: '{text}', style: 'hyphens' }, testId: { name: '{id}', style: 'hyphens' } },
  },
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: {
    id: common.id,
    requires,
    testId: common.testId,
    text,
    icon,
    to: address,
    external: externalAddress,
    when: {
      ...condition,
      description: 'In the footer and in menus: the entry is there where this holds, of principal.… alone.',
    },
    divider: { type: 'boolean', description: 'True to draw a line above.' },
    on: {
      title: 'Handlers',
      type: 'object',
      required: ['press'],
      additionalProperties: false,
      properties: { press: effects },
    },
    under: {
      type: 'string',
      pattern: '^/',
      description: 'Addresses that begin so mark the entry as current, unless another entry leads right there.',
    },
    items: { title: 'Entries', type: 'array', minItems: 1, maxItems: 40, items: { title: 'Entry' } },
  },
} as const;
export const navigationEntry = entry;

const entries = { title: 'Entries', type: 'array', maxItems: 40, items: { title: 'Entry' } } as const;

/** Header, menus, footer and default landing. */
export const navigation = {
  description: 'Header, menus, footer and the default landing of each role.',
  type: 'object',
  required: ['$schema', 'id', 'requires', 'landing'],
  additionalProperties: false,
  properties: {
    $schema: schemaLine,
    id: documentName,
    requires,
    productName: text,
    label: { ...text, description: 'Accessible name of the main navigation.' },
    data,
    state,
    platform: {
      title: 'Unit',
      description:
        'A menu beside the logo that leads to the other systems of the operator, for those who work with several of them.',
      type: 'object',
      required: ['text', 'items'],
      additionalProperties: false,
      properties: { requires, testId: common.testId, text, items: { ...entries, title: 'Entries' } },
    },
    main: entries,
    new: {
      title: 'Unit',
      type: 'object',
      required: ['text', 'items'],
      additionalProperties: false,
      properties: { requires, testId: common.testId, text, items: { ...entries, title: 'Entries' } },
    },
    account: {
      title: 'Unit',
      type: 'object',
      required: ['text', 'items'],
      additionalProperties: false,
      properties: { requires, testId: common.testId, text, items: { ...entries, title: 'Entries' } },
    },
    bell: { title: 'OptionalNode', type: 'object' },
    actions: {
      ...nodes,
      description: 'What one does from anywhere, before the New menu; the event "palette" searches.',
    },
    help: {
      title: 'HelpPopup',
      type: 'string',
      description:
        'The popup that Help beside a heading opens. It is given screen, the route of the screen, heading, and text, which is the help of the screen.',
    },
    found: {
      ...nodes,
      description:
        'Lists of what the search finds for state.search, each a group of it; the actions of a list are offered for its first item.',
    },
    notice: { ...nodes, description: 'What stands below the header of every screen, for as long as it is true.' },
    footer: entries,
    copyright: text,
    landing: {
      title: 'Units',
      description:
        'Where a caller lands after signing in: the first whose requirement is met and whose screen is reachable.',
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['requires', 'to'],
        additionalProperties: false,
        properties: { requires, to: address },
      },
    },
    crumbsRoot: {
      title: 'Unit',
      description: 'First breadcrumb; who does not meet its requirement sees no breadcrumbs.',
      type: 'object',
      required: ['text', 'to'],
      additionalProperties: false,
      properties: { requires, text, to: address },
    },
  },
} as const;

export const documentSchemas = {
  screen,
  popup,
  part: partDocument(data, state),
  form: formDocument,
  journey,
  navigation,
  operations,
  access,
  catalogue: catalogueDocument,
  texts,
} as const;
export type DocumentKind = keyof typeof documentSchemas;

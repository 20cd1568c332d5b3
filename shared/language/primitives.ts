import { iconNames } from './icons.ts';
import { pathRoots } from './path-roots.ts';

/**
 * The kinds of value a property can have. A property's `title` says its kind; the compiler, the checker, the
 * trimmer and the types all go by it, so that a new node type is covered by all of them the moment it exists.
 */

const scopePath = `(?:${Object.keys(pathRoots).join('|')})(?:\\.\\$?[A-Za-z0-9_-]+)+|row`;

/** Key of a text, `<area>.<name>`; the browser receives the resolved text. */
export const text = {
  title: 'Text',
  description: 'Key of a text: <area>.<name> in schemas/text/<language>/<area>.json.',
  type: 'string',
  pattern: '^[a-z][A-Za-z0-9-]*(\\.[A-Za-z0-9_-]+)+$',
} as const;

/** A value read from a scope: `data.customers.Total`, `row.Name`, `form.Email`, `route.page`. */
export const path = {
  title: 'Path',
  description: 'Where a value is read: data.…, row.…, form.…, route.…, principal.…, state.…, reply.… or popup.…',
  type: 'string',
  pattern: `^(?:${scopePath})$`,
} as const;

/** A path to a list; the other properties of the node read its items as `row`. */
export const rows = {
  title: 'Rows',
  description: 'Path of a list. The other properties of this node read one item of it as row.…',
  type: 'string',
  pattern: `^(?:${scopePath})$`,
} as const;

/** Where a control keeps its value: the address (`route`) or the page (`state`). */
export const place = {
  title: 'Place',
  description: 'Where the value is kept: route.<name> (in the address) or state.<name> (on the page).',
  type: 'string',
  pattern: '^(?:route|state)\\.[A-Za-z0-9_-]+$',
} as const;

/** A local address with `{path}` parts, each percent-encoded by itself. The node goes when its target is out of reach. */
export const address = {
  title: 'Address',
  description: 'Address of a screen, with {path} parts. The node is trimmed when the caller cannot reach that screen.',
  type: 'string',
  pattern: '^/(?:[^\\s\\\\]*)$',
} as const;

/** As an address, but only the link goes when its target is out of reach; the node stays. */
export const link = {
  title: 'Link',
  description:
    'Address of a screen, with {path} parts. Only the link is trimmed when the caller cannot reach that screen.',
  type: 'string',
  pattern: '^/(?:[^\\s\\\\]*)$',
} as const;

/** An https address outside the portal. */
export const externalAddress = {
  title: 'ExternalAddress',
  description:
    'An https address outside the portal; {domain} in it is the configured domain name, which sibling portals have.',
  type: 'string',
  pattern: '^https://[^\\s]+$',
  maxLength: 300,
} as const;

/** Identifier of a document, node, field, parameter or event. */
export const name = {
  title: 'Name',
  description: 'An identifier.',
  type: 'string',
  pattern: '^[A-Za-z][A-Za-z0-9._-]*$',
  maxLength: 80,
} as const;

export const format = {
  title: 'Format',
  description: 'How a value is written.',
  enum: [
    'text',
    'number',
    'percent',
    'currency',
    'change',
    'exact',
    'date',
    'date-time',
    'long-date-time',
    'hyphen-date-time',
    'short-date',
    'friendly-date',
    'weekday',
    'time',
    'month',
    'yes-no',
    'bytes',
    'megabytes',
    'groups-of-four',
  ],
} as const;

const scalar = { type: ['string', 'number', 'boolean', 'null'] } as const;

/** A path, or a constant: a number, a boolean, or `{ "value": … }`. For texts also a formatted value. */
export const binding = {
  title: 'Binding',
  description:
    'A path (a string), a constant (a number, true, false, or { "value": … }), or for texts { "path", "format" }.',
  anyOf: [
    { type: 'string', pattern: `^(?:${scopePath})$` },
    { type: ['number', 'boolean'] },
    { type: 'object', required: ['value'], properties: { value: scalar }, additionalProperties: false },
    {
      type: 'object',
      required: ['path', 'format'],
      properties: { path: { title: 'Path', type: 'string', pattern: `^(?:${scopePath})$` }, format },
      additionalProperties: false,
    },
  ],
} as const;

/** Bindings by parameter name. */
export const bindings = {
  title: 'Bindings',
  description:
    'Values by parameter name, each a path or a constant. A word that the operation declares of the parameter stands for itself.',
  type: 'object',
  propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
  additionalProperties: { title: 'Binding' },
} as const;

/** Bindings of a text by the names in it. */
export const textValues = { ...bindings, short: { formatted: true } } as const;

/** Tested by the browser over data, and again by the server for the fields of a form. */
export const condition = {
  title: 'Condition',
  description:
    'One test over data: { "path" with "is", "in", "empty" or "atLeast" and a value, or with "same", "before", "after", "below", "above" or "contains" and another path }, or not, all or any of such tests.',
  type: 'object',
} as const;

/** What a caller must hold for this to exist. Judged on the server; never sent to a browser. */
export const requires = {
  title: 'Requires',
  description:
    'What a caller must hold for this to exist: a name of access.json, or an object of which all keys must hold; of every list any entry will do.',
  type: ['string', 'object'],
} as const;

/** The title of something for callers who lack rights for it and may ask for them. */
export const requestable = {
  ...text,
  description:
    'What it is called for those who lack a right for it and may ask for that: they get this title and the way to ask (the popup "ask-for-access"), and nothing else of it. Needs "requires" that rights can meet.',
} as const;

/** A list of effects, run in order. */
export const effects = {
  title: 'Effects',
  description: 'What happens: a list of effects, run in order until one fails or a confirm is refused.',
  type: 'array',
  items: { title: 'Effect' },
  maxItems: 20,
} as const;

/** Child nodes. A node whose required children are all trimmed, or only choose what others show, is trimmed with them. */
export const nodes = {
  title: 'Nodes',
  description: 'Child nodes, in order.',
  type: 'array',
  items: { title: 'Node' },
  maxItems: 500,
} as const;

/** Nodes that are mostly fields: in short form a string is the name of one. */
export const fieldNodes = { ...nodes, short: { bare: 'field' } } as const;

export const icon = {
  title: 'Icon',
  description: 'Name of a symbol of the icon set.',
  enum: iconNames,
} as const;

export const kind = {
  title: 'Kind',
  description: 'The meaning that colour and shape repeat.',
  enum: ['ok', 'wait', 'bad', 'info', 'off', 'none'],
} as const;

/** Named entries with a text and a kind: the statuses, codes and choices of the product, in one document each. */
export const catalogue = {
  title: 'Catalogue',
  description: 'Id of a catalogue document; its entries arrive with the layout.',
  type: 'string',
  pattern: '^[a-z][a-z0-9-]*$',
} as const;

/** Shared by every node. */
export const common = {
  id: { ...name, description: 'Stable name of the node: keeps its state over live edits; needed to refer to it.' },
  requires,
  requestable,
  when: condition,
  testId: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 80, description: 'data-testid of the element.' },
  values: { ...textValues, description: 'Values that the texts of this node interpolate, by name.' },
} as const;

import { address, binding, bindings, effects, kind, place, text, textValues } from './primitives.ts';
import { eventName } from './vocabulary.ts';

const errorTitle = {
  ...text,
  description: 'Said before what the server says of a failure, and alone where it says nothing.',
} as const;

const operationName = { title: 'OperationName', type: 'string' } as const;

const body = {
  ...bindings,
  description: 'In place of what was typed in the form around; {} sends nothing of it.',
} as const;

/** Every effect: what the browser can be told to do, by a document or by the server. A closed list. */
export const effectSchemas = {
  navigate: {
    description: 'Goes to a screen.',
    short: { head: 'to' },
    type: 'object',
    required: ['do', 'to'],
    additionalProperties: false,
    properties: {
      do: { const: 'navigate' },
      to: address,
      replace: { type: 'boolean', description: 'True to take the place of this screen in the history.' },
    },
  },
  back: {
    description: 'Goes back to where the user came from, or to `to` when they came from nowhere.',
    short: { head: 'to' },
    type: 'object',
    required: ['do', 'to'],
    additionalProperties: false,
    properties: { do: { const: 'back' }, to: address },
  },
  'open-popup': {
    description: 'Opens a popup; `with` gives its parameters.',
    short: { head: 'popup' },
    type: 'object',
    required: ['do', 'popup'],
    additionalProperties: false,
    properties: { do: { const: 'open-popup' }, popup: { title: 'PopupName', type: 'string' }, with: bindings },
  },
  'close-popup': {
    description: 'Closes the top popup.',
    type: 'object',
    required: ['do'],
    additionalProperties: false,
    properties: { do: { const: 'close-popup' } },
  },
  call: {
    description: 'Calls an operation. Inside a form its values are the body, where the operation takes that form.',
    short: { head: 'operation' },
    type: 'object',
    required: ['do', 'operation'],
    additionalProperties: false,
    properties: { do: { const: 'call' }, operation: operationName, with: bindings, body, errorTitle },
  },
  command: {
    description: 'Runs a step of a flow on the server.',
    short: { head: 'command' },
    type: 'object',
    required: ['do', 'command'],
    additionalProperties: false,
    properties: {
      do: { const: 'command' },
      command: { title: 'CommandName', type: 'string' },
      with: bindings,
      body,
      errorTitle,
    },
  },
  set: {
    description: 'Sets a value of the address or of the page.',
    short: { head: 'path' },
    type: 'object',
    required: ['do', 'path', 'value'],
    additionalProperties: false,
    properties: { do: { const: 'set' }, path: place, value: binding },
  },
  toast: {
    description: 'Says what happened, for a few seconds; `undo` offers the way back.',
    short: { head: 'text', defaults: { kind: { is: 'ok' } } },
    type: 'object',
    required: ['do', 'text'],
    additionalProperties: false,
    properties: { do: { const: 'toast' }, text, values: textValues, kind, undo: effects },
  },
  confirm: {
    description: 'Asks first; a refusal ends the list.',
    short: {
      head: 'title',
      defaults: {
        text: { beside: 'title', adds: 'Text', ifThere: true },
        primary: { beside: 'title', adds: 'Primary' },
      },
    },
    type: 'object',
    required: ['do', 'title', 'primary'],
    additionalProperties: false,
    properties: {
      do: { const: 'confirm' },
      title: text,
      text,
      values: textValues,
      primary: text,
      secondary: text,
      danger: { type: 'boolean' },
    },
  },
  download: {
    description: 'Saves a file: the current filter of a table of this document, or what an operation gives.',
    short: { head: 'table' },
    type: 'object',
    required: ['do'],
    additionalProperties: false,
    properties: {
      do: { const: 'download' },
      table: { title: 'TableName', type: 'string' },
      as: { enum: ['csv', 'xlsx'], description: 'Of a table: the kind of file; csv by default.' },
      operation: { ...operationName, description: 'One whose reply is a file.' },
      with: bindings,
    },
  },
  copy: {
    description: 'Copies a value to the clipboard.',
    short: { head: 'value' },
    type: 'object',
    required: ['do', 'value'],
    additionalProperties: false,
    properties: { do: { const: 'copy' }, value: binding },
  },
  save: {
    description: 'Saves a text as a file of the browser. Nothing is asked of the server.',
    short: { head: 'text' },
    type: 'object',
    required: ['do', 'name', 'text'],
    additionalProperties: false,
    properties: {
      do: { const: 'save' },
      name: { ...text, description: 'Name of the file, with its ending.' },
      text,
      values: textValues,
    },
  },
  publish: {
    description: 'Publishes an event that data sources listen to.',
    short: { head: 'event' },
    type: 'object',
    required: ['do', 'event'],
    additionalProperties: false,
    properties: { do: { const: 'publish' }, event: eventName },
  },
  'sign-out': {
    description: 'Ends the session.',
    type: 'object',
    required: ['do'],
    additionalProperties: false,
    properties: { do: { const: 'sign-out' } },
  },
} as const;

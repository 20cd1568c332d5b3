import { requires } from './primitives.ts';
import { eventName, operationName, schemaLine } from './vocabulary.ts';

const parameter = {
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: {
    type: { enum: ['string', 'integer', 'number', 'boolean'] },
    required: { type: 'boolean' },
    enum: { type: 'array', items: { type: ['string', 'number'] }, maxItems: 200 },
    names: {
      type: 'string',
      description:
        'Values are fields below this reply path ("-" before a name: descending); fields the caller may not have are refused.',
    },
    default: { type: ['string', 'number', 'boolean'] },
    pattern: { type: 'string', maxLength: 200 },
    maxLength: { type: 'integer', minimum: 0, maximum: 2000 },
    minimum: { type: 'number' },
    maximum: { type: 'number' },
    wire: { type: 'string', description: 'Its name upstream, when it differs.' },
    description: { type: 'string' },
  },
} as const;

/**
 * What the portal answers itself: method and path of the operations of its own service, each with the operations that it
 * asks in the caller's name.
 */
export const portalCalls = {
  'GET /sessions': [],
  'POST /sessions/{session}/end': [],
  'POST /sessions/end-others': [],
  'GET /security-log': [],
  'GET /people/{userName}/sessions': ['staff.leaving'],
  'POST /people/{userName}/sessions/{session}/end': ['staff.leaving'],
  'GET /people/{userName}/security-log': ['staff.leaving'],
  'GET /customers/{customerId}/users/{userId}/sessions': ['users.leaving'],
  'POST /customers/{customerId}/users/{userId}/sessions/{session}/end': ['users.leaving'],
  'GET /customers/{customerId}/users/{userId}/security-log': ['users.leaving'],
  'GET /exports': [],
  'GET /export-news': [],
  'POST /exports/{exportId}/told': [],
  'POST /exports/{exportId}/remove': [],
  'GET /exports/{exportId}/csv': [],
  'GET /exports/{exportId}/xlsx': [],
  'GET /time-zones': [],
  'GET /languages': [],
  'GET /second-factor': [],
  'GET /work-account': [],
  'GET /add-product/products': [
    'marketplace.services',
    'marketplace.ownServices',
    'customers.products',
    'users.products',
    'agreements.unsignedServices',
  ],
  'GET /add-product/customers': ['marketplace.customers'],
  'GET /managed-services': ['customers.services'],
  'GET /business-systems/{service}': ['psa.integrations'],
  'GET /order-address': ['orders.subject'],
  'GET /announcement': ['announcements.pending', 'announcements.get'],
  'GET /notice': ['notices.list'],
  'GET /role-effects': ['roles.get', 'roles.access'],
  'GET /role-reasons/{user}': ['roles.access', 'roles.get'],
  'GET /role-acts': [],
  'GET /api-operations': [],
  'GET /who-can': ['roles.holders'],
  'GET /role-ticks/{roleId}': ['roles.get'],
  'GET /person-ticks/{user}': ['roles.access', 'accessRequests.get'],
  'GET /requestable/{mark}': ['accessRequests.own'],
  'GET /agreements-to-sign': [
    'agreements.signed',
    'agreements.linked',
    'agreements.list',
    'agreements.get',
    'customers.get',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type PortalCall = keyof typeof portalCalls;

const method = {
  enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  description: 'How it is asked for; a GET is read by data sources, all else is called by effects.',
} as const;

const path = {
  type: 'string',
  pattern: '^/[A-Za-z0-9/{}_.-]*$',
  maxLength: 300,
  description: 'Upstream path; {parameter} parts are percent-encoded each by itself.',
} as const;

/** Parameters that a caller cannot choose. */
export const ownParameters = {
  title: 'Own',
  description: 'Parameters bound to the caller for the user types named; the browser cannot set them.',
  type: 'object',
  additionalProperties: {
    type: 'object',
    required: ['userTypes', 'is'],
    additionalProperties: false,
    properties: {
      userTypes: { type: 'array', minItems: 1, items: { title: 'UserType', type: 'string' } },
      is: { type: 'string', pattern: '^principal\\.[A-Za-z]+$' },
    },
  },
} as const;

const parametersByName = {
  type: 'object',
  minProperties: 1,
  propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
  additionalProperties: { type: 'string' },
} as const;

/** A named upstream call, or one of what the portal answers itself. */
export const operation = {
  description: 'A named upstream call, or one of what the portal answers itself.',
  type: 'object',
  required: ['service', 'method', 'path'],
  additionalProperties: false,
  properties: {
    description: { type: 'string', description: 'What it is for, in a sentence.' },
    service: {
      enum: ['cloud', 'auth', 'portal'],
      description: 'Which base address of the configuration; portal: answered by the portal itself.',
    },
    method,
    path,
    elsewhere: {
      description: 'Where the same call is for those who meet a requirement: the first that is met.',
      type: 'array',
      minItems: 1,
      maxItems: 5,
      items: {
        type: 'object',
        required: ['requires', 'path'],
        additionalProperties: false,
        properties: { requires, method, path },
      },
    },
    with: {
      title: 'Parameters',
      description: 'Its parameters by name, each with the rule that the server checks it by.',
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
      additionalProperties: parameter,
    },
    body: { title: 'FormName', type: 'string', description: 'Id of the form document: the one form of its body.' },
    own: ownParameters,
    requires,
    reply: {
      title: 'Reply',
      description: 'What comes back, field by field: what is not declared never passes.',
    },
    envelope: {
      const: false,
      description: 'False where the reply is no envelope: all of it is its Result.',
    },
    refreshOn: {
      type: 'array',
      minItems: 1,
      items: eventName,
      description: 'Events that make data sources read it again, where they do not say other ones.',
    },
    refreshes: { type: 'array', items: operationName, description: 'Reads that are stale after this write.' },
    audit: {
      description: 'Name of the audit record that a write leaves; false for a call that changes nothing.',
      anyOf: [{ type: 'string', pattern: '^[a-z]+(\\.[a-z-]+)+$' }, { const: false }],
    },
    endsSessionsOf: {
      type: 'string',
      pattern: '^[A-Za-z]+$',
      description:
        'Field of the reply that names an account: once the call has succeeded, all of its sessions end, on every process.',
    },
    renamesTo: {
      type: 'string',
      pattern: '^[A-Za-z]+$',
      description:
        'Field of the reply with the new name of the account whose sessions end (`endsSessionsOf`): what the portal keeps of it, such as drafts and files, moves there.',
    },
    partial: {
      const: true,
      description:
        'The cloud leaves as it is what a body does not have: some callers may lack mandatory fields of its form, which others have.',
    },
    once: {
      type: 'boolean',
      description: 'True where a repeated press must not act twice: the key of the press goes along.',
    },
    file: {
      type: 'string',
      pattern: '^[a-z]+/[a-z0-9][a-z0-9.+-]*$',
      maxLength: 100,
      description: 'The reply is a file of this media type and no envelope; the effect download saves it.',
    },
    link: {
      title: 'Link',
      description:
        'Of a file that is given by a link for one use: the POST that makes the link. `{Guid}` in the path of the operation is that of its reply.',
      type: 'object',
      required: ['path', 'body'],
      additionalProperties: false,
      properties: {
        path,
        body: { ...parametersByName, description: 'What is sent, each the name of a parameter of the operation.' },
        query: { ...parametersByName, description: 'What the file is asked with beside the Guid, as the body.' },
      },
    },
    upload: {
      const: true,
      description:
        'What is sent is the one file of its form, as it is: the bytes of a field of kind file, whose name is no part of them.',
    },
    hostedPage: {
      ...operationName,
      description:
        'What comes back authorises a form of another provider: the browser is led to its page (`/hosted-page/{ticket}`), and what the form answers goes to this operation.',
    },
    timeout: {
      type: 'integer',
      minimum: 100,
      maximum: 60000,
      description: 'Milliseconds until the portal gives up; of a file until it begins, and between its parts.',
    },
  },
} as const;

export const operations = {
  description:
    'Named upstream calls of one area. The command `schemas import` writes one from what a cloud says of itself.',
  type: 'object',
  required: ['$schema', 'operations'],
  additionalProperties: false,
  properties: {
    $schema: schemaLine,
    operations: {
      type: 'object',
      propertyNames: { pattern: '^[a-z][A-Za-z]*(\\.[a-zA-Z-]+)+$' },
      additionalProperties: operation,
    },
  },
} as const;

import { ownParameters } from './operation.ts';
import { bindings, common, effects, name, path, requires, text } from './primitives.ts';
import { draftTextNames, draftTexts, stepProperties } from './step.ts';
import { documentName, operationName, schemaLine } from './vocabulary.ts';

const template = {
  title: 'Template',
  description:
    'What is sent, made from the answers. A string is a path; { "path", "default" } has a value for what is not there; { "rows", "each" } makes a list, { "when", "use", "else" } one of two; { "value" }, a number, true and false stand for themselves; any other object holds templates. The body of the last call may be that of a quote: { "of": its name }.',
} as const;

const callProperties = {
  requires,
  operation: operationName,
  command: { title: 'CommandName', type: 'string' },
  with: bindings,
  body: template,
} as const;

const call = {
  short: { bare: 'operation', pair: ['operation', 'with'] },
  title: 'Call',
  description:
    'What the server asks in the caller’s name: an operation or a command, with its parameters and the body that is made for it. Without the right to it nothing is asked.',
  type: 'object',
  additionalProperties: false,
  properties: callProperties,
} as const;

const calls = {
  type: 'object',
  propertyNames: { pattern: '^[a-z][A-Za-z0-9]*$' },
  additionalProperties: call,
} as const;

const step = {
  title: 'JourneyStep',
  short: {
    defaults: {
      title: { text: 'id' },
      submit: { namedText: 'next' },
      busy: { beside: 'submit', adds: 'Busy', ifThere: true },
    },
  },
  type: 'object',
  required: ['id', 'title', 'submit'],
  additionalProperties: false,
  properties: {
    ...stepProperties,
    resume: {
      type: 'boolean',
      description: 'True for the step that asks whether to go on with a draft: its field "Resume" is "on" or "again".',
    },
    summary: { type: 'boolean', description: 'True to show what was answered in the steps before.' },
    prepare: {
      ...calls,
      maxProperties: 5,
      description:
        'Asked once the steps before are answered, by what was answered there; read as data.<name> from this step on, also in place of what was prepared before under this name.',
    },
    delivered: {
      ...path,
      description:
        'Path of fields among what is prepared, a "model:form" or the "model:nodes" of a command: they come after those of the step.',
    },
    deliveredAs: {
      ...name,
      description:
        'Name under which the answers of delivered fields are read together: answers.<step>.<name>. Without it each stands beside the others.',
    },
    judge: {
      ...call,
      description: 'Judges the step once it is filled in, and again at the end: a refusal is told there.',
    },
    quote: {
      ...calls,
      maxProperties: 5,
      description:
        'Asked each time the step is shown, for a price or for what would be done; read there as data.<name>. What was shown as money at the last step is asked for again before anything is placed: where it has changed it is shown again.',
    },
    estimate: {
      ...calls,
      maxProperties: 5,
      description:
        'Asked when the step is shown and again as its fields change, by what is typed, right or not; read in "aside" and "bar" as data.<name>. What is refused is not there.',
    },
    gate: {
      title: 'Gate',
      description:
        'Runs before the step is shown and before it is left: where its command answers with effects these come first, and one goes on from here.',
      type: 'object',
      required: ['command'],
      additionalProperties: false,
      properties: { command: { title: 'CommandName', type: 'string' }, with: bindings },
    },
  },
} as const;

/**
 * A wizard as a document: its steps, what the server asks on the way, and what is placed at the end. One engine
 * (`server/journeys`) runs all; the node `steps` draws them.
 */
export const journey = {
  short: { defaults: { label: { namedText: 'steps' }, back: { namedText: 'back' } } },
  description:
    'A wizard that needs no code: steps with fields, what the server asks on the way, and what is placed at the end. A node "steps" with its name draws it.',
  type: 'object',
  required: ['$schema', 'id', 'label', 'back', 'steps', 'place'],
  additionalProperties: false,
  properties: {
    $schema: schemaLine,
    id: documentName,
    requires,
    parameters: {
      type: 'array',
      items: name,
      maxItems: 20,
      uniqueItems: true,
      description: 'Names that the node gives in "with"; read as journey.<name>.',
    },
    own: ownParameters,
    label: { ...text, description: 'Accessible name of the list of steps.' },
    back: { ...text, description: 'Text of the button that leads to the step before.' },
    errorTitle: { ...text, description: 'Heading of the alert that shows what the server said.' },
    failedText: { ...text, description: 'Said where the cloud gives no usable answer, in place of the general words.' },
    titlePath: { ...path, description: 'What the journey is about, by name: its heading.' },
    values: common.values,
    prepare: {
      ...calls,
      maxProperties: 10,
      description: 'Asked before each step; read as data.<name> in all of them, and by bodies and conditions.',
    },
    steps: { title: 'JourneySteps', type: 'array', minItems: 1, maxItems: 12, items: step },
    place: {
      title: 'LastCall',
      description: 'What is done at the end, once: each press has a key of its own.',
      type: 'object',
      additionalProperties: false,
      properties: {
        ...callProperties,
        proves: {
          type: 'array',
          minItems: 1,
          uniqueItems: true,
          items: { enum: ['Password', 'Code', 'RecoveryCode'] },
          description: 'Fields by which the caller proves who they are; wrong ones count as attempts to sign in.',
        },
        record: { ...bindings, description: 'What the audit record holds besides, of what came back: reply.…' },
      },
    },
    done: {
      ...effects,
      description:
        'What happens once it is placed, or when the last step is closed: toast, navigate, open-popup, close-popup and publish. Reads what came back as reply.Result.…',
    },
    keeps: {
      title: 'KeptAnswers',
      description:
        'There where what is typed is there again when one comes back, until it is placed: a journey without "draft" that asks nothing about it.',
      type: 'object',
      required: ['of', 'text'],
      additionalProperties: false,
      properties: {
        of: {
          ...bindings,
          description: 'What it is about, such as the customer and the product: there is one each for these.',
        },
        text: {
          ...text,
          description: 'Said above the first step where what was typed is there again; interpolates {{at}}.',
        },
      },
    },
    draft: {
      short: {
        defaults: {
          saved: { namedText: 'saved' },
          saving: { namedText: 'saving' },
          unsaved: { namedText: 'unsaved' },
          changed: { namedText: 'changed' },
          mine: { namedText: 'mine' },
          theirs: { namedText: 'theirs' },
          dropped: { namedText: 'dropped' },
        },
      },
      description: 'There where what is typed is kept, so that another device goes on where one stopped.',
      type: 'object',
      required: ['for', ...draftTextNames],
      additionalProperties: false,
      properties: {
        for: { ...name, description: 'The parameter that there is one draft each for.' },
        dropped: {
          ...text,
          description: 'Said where a step no longer asks what was answered; interpolates {{fields}}.',
        },
        ...draftTexts,
      },
    },
  },
} as const;

/** Properties of a journey that the node drawing it has, and of a step those that only the server knows. */
export const drawnOfJourney = ['label', 'back', 'errorTitle', 'failedText', 'titlePath', 'values', 'done'] as const;
export const serverOnlyOfStep = [
  'resume',
  'summary',
  'prepare',
  'delivered',
  'deliveredAs',
  'judge',
  'quote',
  'estimate',
  'gate',
] as const;

import type { NodeKind } from '../node-kind.ts';
import { bindings, common, effects, nodes, path, text } from '../primitives.ts';
import { draftTextNames, draftTexts, stepProperties } from '../step.ts';

/**
 * A wizard that the server leads: a command answers with the step to show (`step`, one of those named here), nodes to
 * show before those of the step itself (`children`) and first values (`values`), and gets what was typed in all steps so
 * far, with the name of the step as `$step`. Steps that it passes over are not shown; one goes back to those that were.
 * Its last answer has effects only. Where something else comes first it answers with effects and `waits`: what was typed
 * is there again when one comes back to the address. What a step asks stands in its `children`; these read the answer as `reply.…`.
 *
 * With `draft` the command keeps what was typed: it gets the values of one step, the `$version` of the draft that they
 * were typed over, and `$to` where one goes without being through; it answers with the steps that there are (`steps`) and
 * the draft (`draft`). `keep` runs a moment after the last change, and its command answers with the draft alone.
 *
 * With `journey` all of this stands in a document: the server fills in the steps, their texts and the commands
 * `<journey>.step` and `<journey>.keep`. Their answer has `nodes` for a step whose fields are made at run time, what was
 * asked (`data`) and what was answered before (`answers`).
 */
export const stepsKind = {
  schema: {
    description: 'A wizard whose steps a command delivers and judges one after another.',
    short: {
      ...{ head: 'steps', calledBy: 'journey' },
      defaults: { id: { name: '{journey}', style: 'hyphens' } },
    },
    type: 'object',
    required: ['type', 'id'],
    additionalProperties: false,
    properties: {
      type: { const: 'steps' },
      ...common,
      journey: {
        title: 'JourneyName',
        type: 'string',
        pattern: '^[a-z][a-z0-9-]*$',
        description: 'Id of the journey that leads: its steps and texts are those of the node.',
      },
      with: { ...bindings, description: 'Parameters of the journey.' },
      label: { ...text, description: 'Accessible name of the list of steps.' },
      steps: {
        title: 'Units',
        type: 'array',
        minItems: 1,
        maxItems: 12,
        items: {
          title: 'Step',
          short: {
            pair: ['title', 'children'],
            defaults: {
              id: { name: '{title}', style: 'hyphens' },
              busy: { beside: 'submit', adds: 'Busy', ifThere: true },
            },
          },
          type: 'object',
          required: ['id', 'title', 'submit'],
          additionalProperties: false,
          properties: stepProperties,
        },
      },
      draft: {
        title: 'Unit',
        description: 'There where the command keeps what was typed.',
        type: 'object',
        required: draftTextNames,
        additionalProperties: false,
        properties: {
          dropped: { ...text, description: 'Of a journey: said where an answer was dropped.' },
          ...draftTexts,
        },
      },
      back: { ...text, description: 'Text of the button that leads to the step before.' },
      actions: { ...nodes, description: 'What else one does at every step, beside its buttons, such as leaving.' },
      words: {
        description: 'Texts that the command puts into what it delivers, by name.',
        type: 'object',
        propertyNames: { pattern: '^[A-Za-z]+$' },
        additionalProperties: text,
      },
      errorTitle: { ...text, description: 'Heading of the alert that shows what the server said.' },
      keptText: {
        ...text,
        description:
          'Of a journey that keeps what is typed with what it asks beside a step: said where it is there again. Leaving loses nothing.',
      },
      failedText: { ...text, description: 'Of a journey: said where the cloud gives no usable answer.' },
      titlePath: { ...path, description: 'Of a journey: what it is about, by name.' },
      done: { ...effects, description: 'Of a journey: what happens once it is placed.' },
      on: {
        title: 'Handlers',
        short: { bare: 'step' },
        type: 'object',
        required: ['step'],
        additionalProperties: false,
        properties: {
          step: { ...effects, maxItems: 1, description: 'The command that leads the way.' },
          keep: { ...effects, maxItems: 1, description: 'The command that keeps what is typed.' },
        },
      },
    },
  },
  rules: {
    leads: 'step',
    ownValues: ['at', 'fields', 'names'],
    journey: { name: 'journey', brings: ['label', 'steps', 'back', 'on'] },
  },
  example: [
    {
      steps: [
        { id: 'who', title: 'example.step-who', submit: 'example.next', busy: 'example.saving' },
        {
          id: 'done',
          title: 'example.step-done',
          submit: 'example.save',
          busy: 'example.saving',
          aside: [{ card: 'example.title', children: [{ text: 'example.text' }] }],
        },
      ],
      id: 'wizard',
      label: 'example.steps',
      back: 'example.back',
      actions: [{ button: 'example.cancel', to: '/docs/layout' }],
      on: [{ command: 'example.step' }],
    },
  ],
} as const satisfies NodeKind;

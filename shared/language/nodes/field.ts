import type { NodeKind } from '../node-kind.ts';
import { type PatternName, patterns } from '../patterns.ts';
import { binding, catalogue, common, condition, name, nodes, path, requires, rows, text } from '../primitives.ts';

/** The spec's dynamic-form field and popup item, one model (document 2, sections 3 and 5). */
const fieldKinds = [
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
    short: { pair: ['value', 'text'] },
    type: 'object',
    required: ['value', 'text'],
    additionalProperties: false,
    properties: { requires, value: { type: ['string', 'number', 'boolean'] }, text, hint: text },
  },
} as const;

/** A text that is there for those who may have all that it says. */
const priced = (description: string) =>
  ({
    title: 'Unit',
    description,
    type: 'object',
    required: ['text'],
    additionalProperties: false,
    properties: { requires, text, values: common.values },
  }) as const;

export const fieldKind = {
  schema: {
    description: 'One value of a form. A field that a condition hides or disables is not sent.',
    short: {
      head: 'propertyName',
      unlessOptional: 'mandatory',
      defaults: {
        kind: { is: 'text' },
        label: { text: 'propertyName' },
        testId: { name: '{propertyName}', style: 'hyphens' },
      },
    },
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
      from: {
        title: 'Unit',
        description:
          'In a step of a journey: what is known of the field only at run time, read from what was prepared, from answers, or from the row around.',
        type: 'object',
        additionalProperties: false,
        properties: {
          labelPath: path,
          toolTipPath: path,
          minPath: path,
          maxPath: path,
          initialPath: path,
          message: priced('The note below the label.'),
          options: {
            type: 'object',
            required: ['rows', 'valuePath', 'titlePath'],
            additionalProperties: false,
            properties: {
              rows,
              valuePath: path,
              titlePath: path,
              hintPath: path,
              priced: priced('What an option is called for those who see its price, in place of its title.'),
            },
          },
        },
      },
      initial: { ...binding, description: 'First value, when the form has none for it.' },
      readOnly: { type: 'boolean', description: 'Shown but never sent; refused if sent.' },
      disabledWhen: condition,
      wide: { type: 'boolean', description: 'Takes both columns of a two-column form.' },
      action: { ...nodes, maxItems: 1, description: 'A link or button beside the label (Edit, Forgot password).' },
    },
  },
  rules: { form: 'field' },
  example: [
    {
      type: 'form',
      id: 'form',
      submit: 'example.save',
      children: [
        {
          type: 'field',
          propertyName: 'Plan',
          kind: 'radio',
          label: 'example.plan',
          options: [
            { value: 'basic', text: 'example.basic' },
            { value: 'premium', text: 'example.premium' },
          ],
        },
        {
          type: 'field',
          propertyName: 'Extra',
          kind: 'switch',
          label: 'example.extra',
          when: { path: 'form.Plan', is: 'premium' },
        },
        { type: 'field', propertyName: 'Users', kind: 'number', label: 'example.users', min: 1, max: 100 },
        { type: 'field', propertyName: 'Server', kind: 'text', label: 'example.server', pattern: 'ipv4' },
      ],
      on: {
        submit: [
          { do: 'command', command: 'example.save' },
          { do: 'toast', text: 'example.saved', kind: 'ok' },
        ],
      },
    },
  ],
} as const satisfies NodeKind;

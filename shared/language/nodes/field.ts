import { type FileType, fileTypes, largestFile } from '../file-types.ts';
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
  'date-time',
  'display',
  'hidden',
  'one-time-code',
  'list',
  'file',
  'colour',
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
    properties: {
      requires,
      value: { type: ['string', 'number', 'boolean'] },
      text,
      hint: text,
      amount: { ...text, description: 'What it costs; of cards.' },
    },
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
        kind: {
          words: { email: 'email', password: 'password', phone: 'phone', telephone: 'phone' },
          of: 'propertyName',
          otherwise: 'text',
        },
        maxLength: { by: 'kind', values: { text: 100, email: 200, password: 256, list: 1000000 } },
        autocomplete: {
          by: 'propertyName',
          values: {
            ExistingPassword: 'current-password',
            NewPassword: 'new-password',
            NewPasswordAgain: 'new-password',
            Password: 'current-password',
            UserName: 'username',
            Username: 'username',
          },
        },
        label: { text: 'propertyName', exceptOf: { kind: 'hidden' } },
        placeholder: { beside: 'label', adds: 'Placeholder', ifThere: true },
        toolTip: { beside: 'label', adds: 'Hint', ifThere: true },
        mandatoryMessage: { beside: 'label', adds: 'Missing', ifThere: true },
        invalidMessage: { beside: 'label', adds: 'Invalid', ifThere: true },
        testId: { name: '{propertyName}', style: 'hyphens', exceptOf: { kind: 'hidden' } },
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
        description:
          'What is asked for. The kinds email and phone are patterns too: see "pattern". A date is a day, YYYY-MM-DD; a date-time is a moment on a quarter of an hour, asked for in the time zone of the person and sent as RFC 3339 in UTC. A file stands in the form of an operation with "upload", whose other fields are passed as parameters; as a value it is its name. A colour is six hexadecimal digits; it is asked for as an accent, so that the nearest one that can be read in both themes is offered beside one that cannot.',
      },
      label: text,
      mandatory: { type: 'boolean', description: 'True when a value must be given (a checkbox: must be ticked).' },
      mandatoryMessage: {
        ...text,
        description:
          'Said when the value is missing, in place of "{field} is required"; in the form of an operation, of a field with "regex" or an alphanumeric pattern, in place of "- Invalid {field}.".',
      },
      pattern: {
        enum: Object.keys(patterns) as PatternName[],
        description: `Pattern of a non-empty value, with a message of its own. ${Object.entries(patterns)
          .map(([name, takes]) => `${name}: ${takes}`)
          .join('; ')}.`,
      },
      regex: {
        type: 'string',
        maxLength: 500,
        description:
          'As "pattern", where none of these fits: an expression, the same V8 RegExp in browser and server. In the form of an operation "- Invalid characters in {field}." is said of what does not match, as of the alphanumeric patterns; elsewhere that the format is wrong.',
      },
      invalidMessage: {
        ...text,
        description:
          'Said in place of every other message when a value is not of its kind, pattern or required value. Lengths and bounds have messages of their own.',
      },
      requiredValue: { type: ['string', 'number', 'boolean'], description: 'The value must equal this exactly.' },
      minLength: { type: 'integer', minimum: 0 },
      maxLength: { type: 'integer', minimum: 1, maximum: 1000000 },
      min: {
        type: ['number', 'string'],
        description: 'Least number, first day as YYYY-MM-DD, or first moment as RFC 3339.',
      },
      max: { type: ['number', 'string'], description: 'Greatest number, last day or last moment.' },
      options: option,
      look: { enum: ['cards'], description: 'Of a radio field: its options side by side, each with what it costs.' },
      catalogue: { ...catalogue, description: 'Options from a catalogue document.' },
      placeholder: text,
      toolTip: { ...text, description: 'A hint below the field.' },
      message: { ...text, description: 'A note below the field, before the hint.' },
      autocomplete: { type: 'string', pattern: '^[a-z-]+( [a-z-]+)*$', description: 'The HTML autocomplete token.' },
      types: {
        type: 'array',
        minItems: 1,
        maxItems: 10,
        uniqueItems: true,
        items: { enum: Object.keys(fileTypes) as FileType[] },
        description: 'Of a file: the media types that are taken.',
      },
      picture: {
        description:
          'Of a file that takes PNG: pictures of other formats, and PNGs with more pixels, are made PNGs of at most this size by the browser before they are sent.',
        type: 'object',
        required: ['width', 'height'],
        additionalProperties: false,
        properties: {
          width: { type: 'integer', minimum: 1, maximum: 4000 },
          height: { type: 'integer', minimum: 1, maximum: 4000 },
        },
      },
      maxBytes: { type: 'integer', minimum: 1, maximum: largestFile, description: 'Of a file: its largest size.' },
      files: {
        type: 'integer',
        minimum: 2,
        maximum: 20,
        description:
          'Of a file: as many can be chosen, or dropped, at once. Each is sent by a call of its own, in which the field has its name; the effects after the call run once all were taken.',
      },
      key: { ...name, title: 'KeyName', description: 'Of a list: the field of an item that is its entry.' },
      nameKey: {
        ...name,
        title: 'KeyName',
        description: 'Of a list with a key: the field of an item that says what its entry is called, shown beside it.',
      },
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
          message: priced('The note below the field.'),
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
              amount: priced('What an option of cards costs.'),
              hints: {
                title: 'Units',
                type: 'array',
                maxItems: 6,
                description: 'Lines of the hint, each there where its condition is met.',
                items: {
                  type: 'object',
                  required: ['text'],
                  additionalProperties: false,
                  properties: { requires, when: condition, text, values: common.values },
                },
              },
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
  rules: { form: 'field', wordsOfKinds: { file: 'file', colour: 'colour' } },
  example: [
    {
      type: 'form',
      id: 'form',
      submit: 'example.save',
      children: [
        {
          field: 'Plan?',
          kind: 'radio',
          options: [{ basic: 'example.basic' }, { premium: 'example.premium' }],
          look: 'cards',
        },
        { field: 'Extra?', kind: 'switch', when: { 'form.Plan': 'premium' } },
        { field: 'Users?', kind: 'number', min: 1, max: 100 },
        { field: 'Begin?', kind: 'date-time' },
        { field: 'Server?', pattern: 'ipv4' },
        { field: 'Accent?', kind: 'colour' },
      ],
      on: { submit: [{ command: 'example.save' }, { toast: 'example.saved' }] },
    },
  ],
} as const satisfies NodeKind;

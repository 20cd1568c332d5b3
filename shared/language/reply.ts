/**
 * What a value is, on the wire and to a reader. The class says which JSON values it may be; the rest is for whoever shows,
 * sorts or exports it.
 */
export const valueKinds = {
  text: { classes: ['string'], description: 'Words.' },
  id: { classes: ['string', 'number'], description: 'What identifies something.' },
  code: { classes: ['string', 'number'], description: 'One of a few values, which a catalogue or "of" lists.' },
  email: { classes: ['string'], description: 'An email address.' },
  phone: { classes: ['string'], description: 'A telephone number.' },
  domain: { classes: ['string'], description: 'A domain name.' },
  url: { classes: ['string'], description: 'An address of the web, or a path of one.' },
  count: { classes: ['number'], description: 'How many.' },
  number: { classes: ['number'], description: 'A number.' },
  percent: { classes: ['number'], description: 'A share of 100.' },
  money: {
    classes: ['string', 'number'],
    description:
      'An amount as a decimal string, in the currency beside it or of the caller; a number of the cloud is made one. Needs prices unless "requires" is "anyone".',
  },
  bytes: { classes: ['number'], description: 'A size in bytes.' },
  day: { classes: ['string'], description: 'A day, as YYYY-MM-DD.' },
  time: { classes: ['string'], description: 'A moment (RFC 3339).' },
  epoch: {
    classes: ['string'],
    description:
      'A moment that the cloud writes as milliseconds between two other signs, "/1762560000000/"; it passes as a time.',
  },
  duration: { classes: ['string', 'number'], description: 'How long.' },
  'yes-no': { classes: ['boolean'], description: 'True or false.' },
  html: { classes: ['string'], description: 'HTML, which is sanitised before it leaves the server.' },
  colour: { classes: ['string'], description: 'A colour of CSS.' },
  file: { classes: ['string'], description: 'A small file, as a data URL.' },
} as const satisfies Readonly<
  Record<string, { readonly classes: readonly ('string' | 'number' | 'boolean')[]; readonly description: string }>
>;
export type ValueKind = keyof typeof valueKinds;

/**
 * What is made at run time and checked by the model that it follows. `requires` must say whether it needs prices, since
 * nobody knows its fields before.
 */
export const models = {
  'model:form': 'A dynamic form (document 2, section 7).',
  'model:popup': 'The schema of a generic popup (document 2, section 3).',
  'model:values': 'Values of such a form or popup, by name.',
  'model:nodes': 'Nodes of this language. Only commands answer with them.',
} as const;
export type ModelKind = keyof typeof models;

const optional = { type: 'boolean', description: 'True where it may be absent or null.' } as const;
const min = { type: 'number', description: 'The least number.' } as const;
const max = { type: 'number', description: 'The greatest number, or the most characters.' } as const;
const pattern = { type: 'string', description: 'What a text matches.' } as const;
const requires = { title: 'Requires', description: 'What a caller must hold to have it.' } as const;
/** The `requires` of a value that may be everybody's; no name of a requirement. */
export const openToAnyone = 'anyone';
const requiresOrAnyone = {
  anyOf: [{ const: openToAnyone }, { title: 'Requires' }],
  description: 'What a caller must hold to have it; "anyone" where it may be everybody\u2019s.',
} as const;

const withOptional = (names: readonly string[]) => ({ enum: names.flatMap(name => [name, `${name}?`]) });
const kindsOf = (fits: (classes: readonly string[]) => boolean, but: readonly string[] = []) =>
  withOptional(
    Object.keys(valueKinds).filter(name => fits(valueKinds[name as ValueKind].classes) && !but.includes(name)),
  );
const ofCatalogue = {
  title: 'CatalogueCode',
  type: 'string',
  pattern: '^code:[a-z][a-z0-9-]*\\??$',
  description: 'A value of the catalogue of this name.',
} as const;
const isNumeric = (classes: readonly string[]): boolean => classes.includes('number');
const isText = (classes: readonly string[]): boolean => classes.join() === 'string';

/** A value of some kinds, with what may be said of it besides. */
const value = (kind: object, properties: object, required: readonly string[] = []) => ({
  type: 'object',
  required: ['kind', ...required],
  additionalProperties: false,
  properties: { kind: { ...kind, description: 'As the string that stands alone elsewhere.' }, ...properties },
});

/** A name of a field; `kind`, `map` and `of` stand in `{ "of": { … } }`. */
const anyName = { pattern: '^[A-Za-z_$][A-Za-z0-9_$-]{0,79}$' } as const;

/** The notation of a reply, for editors; the server reads it with `readContract`, which must judge alike. */
export const replyShape = {
  description:
    'What comes back, field by field. A string is a kind, with "?" where the value may be absent or null; [ … ] is a list, { "map": … } a dictionary, { "of": … } an object or list with a requirement.',
  anyOf: [
    { ...kindsOf(() => true, ['code']), description: 'The kind of a value; "?" where it may be absent or null.' },
    ofCatalogue,
    { type: 'array', minItems: 1, maxItems: 1, items: { title: 'Reply' } },
    value(withOptional(['money']), { requires: requiresOrAnyone, min, max }),
    value(kindsOf(isNumeric, ['money', 'code']), { requires, min, max }),
    value(ofCatalogue, { requires, min, max }),
    value(
      withOptional(['code']),
      {
        requires,
        of: { type: 'array', minItems: 1, items: { type: ['string', 'number'] }, description: 'Its values.' },
        min,
        max,
      },
      ['of'],
    ),
    value(kindsOf(isText), { requires, max, pattern }),
    value(withOptional(['yes-no']), { requires }),
    value(withOptional(Object.keys(models)), { requires: requiresOrAnyone }, ['requires']),
    {
      type: 'object',
      required: ['map'],
      additionalProperties: false,
      properties: {
        map: { title: 'Reply', description: 'A dictionary: what each of its values is.' },
        requires,
        optional,
      },
    },
    {
      type: 'object',
      required: ['of'],
      additionalProperties: false,
      properties: {
        of: {
          anyOf: [
            { type: 'array', minItems: 1, maxItems: 1, items: { title: 'Reply' } },
            { type: 'object', minProperties: 1, propertyNames: anyName, additionalProperties: { title: 'Reply' } },
          ],
          description: 'A list, or an object whose fields may have any name.',
        },
        requires,
        optional,
      },
    },
    {
      type: 'object',
      minProperties: 1,
      propertyNames: { ...anyName, not: { enum: ['kind', 'map', 'of'] } },
      additionalProperties: { title: 'Reply' },
    },
  ],
} as const;

/** What an operation or command says of its reply. */
export type Reply = string | readonly [Reply] | { readonly [name: string]: unknown };

/** Two spellings that mean the same and both stay, with the reason. */
export type TwoWays = {
  readonly name: string;
  /** When one is written and when the other, and why neither goes. */
  readonly says: string;
  /** Kind of the document that both are a part of: a screen, where nothing else is said. */
  readonly kind?: 'form' | 'journey';
  readonly one: Readonly<Record<string, unknown>>;
  readonly other: Readonly<Record<string, unknown>>;
};

/** Every pair of spellings that is left: all else is said in one way. */
export const twoWays: readonly TwoWays[] = [
  {
    name: 'a string or an object',
    says: 'A string where the main value is all that is said, an object once there is more: most columns, facts and fields say nothing else, and what says more needs names.',
    kind: 'form',
    one: { fields: ['Name'] },
    other: { fields: [{ field: 'Name' }] },
  },
  {
    name: 'a head or "type"',
    says: 'The head wherever a type has one. Types whose name is a property of others (form, search), or whose main value is none (bell, signature, transfer), say "type", as does a text that shows a path.',
    one: { children: [{ heading: 'example.name' }] },
    other: { children: [{ type: 'heading', text: 'example.name' }] },
  },
  {
    name: 'one effect or a list',
    says: 'One effect is no list, and several are one, in their order.',
    one: { actions: [{ button: 'example.name', press: 'sign-out' }] },
    other: { actions: [{ button: 'example.name', press: ['sign-out'] }] },
  },
  {
    name: '"press" or "on"',
    says: '"press" where a press is all that happens to a node; "on" names the events of a node that has several.',
    one: { actions: [{ button: 'example.name', press: ['sign-out'] }] },
    other: { actions: [{ button: 'example.name', on: { press: ['sign-out'] } }] },
  },
  {
    name: 'a list of paths or names',
    says: 'A list where parameters are called as their paths end; an object, or one among the entries of the list, where they are not. To repeat every name would hide the one that differs.',
    one: { values: ['data.one.Name'] },
    other: { values: { name: 'data.one.Name' } },
  },
  {
    name: 'a word or "value"',
    says: 'A word stands for itself where the operation declares it of the parameter, and in conditions. Elsewhere a constant is { "value": … }: a word that nobody declared might as well be a path with a slip in it. Numbers, true and false are no paths anywhere.',
    one: { data: { sorted: { 'example.customers': { sort: '-Name' } } } },
    other: { data: { sorted: { 'example.customers': { sort: { value: '-Name' } } } } },
  },
  {
    name: 'a path with or without "Result"',
    says: 'Without: it is how documents are written. The long form has it, since beside it a reply has whether the call succeeded, and the long form is what `npm run schemas expand` prints.',
    one: { values: { name: 'data.one.Name' } },
    other: { values: { name: 'data.one.Result.Name' } },
  },
  {
    name: 'names as tests or "path"',
    says: 'A condition names what it tests. The long form has "path", since one path can be tested in two ways within "all", which no object with names can say.',
    one: { children: [{ text: 'example.name', when: { 'data.one.Name': 'Ada' } }] },
    other: { children: [{ text: 'example.name', when: { path: 'data.one.Name', is: 'Ada' } }] },
  },
];

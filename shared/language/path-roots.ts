/** Where a path begins: the first word of a path, and what stands below it. */
export const pathRoots = {
  data: 'What the data sources of the document have read: data.<source>.<field>, as the contract of the operation says. Beside what comes back, data.<source>.$Succeed says whether the call succeeded, $Error and $Messages what was said.',
  row: 'The item that is drawn, of the list of the node around: row.<field>; "row" alone is an item without fields.',
  form: 'What is typed in the form around, by the name of the field, and what is known of the form itself.',
  route:
    'What the address holds: a parameter of the route, a name of "query", or a place where a node keeps its value.',
  principal: 'Who is signed in.',
  state: 'A value of the page by its name in "state"; it is gone when the page is.',
  reply: 'What the effect before this one has brought back: reply.<field>.',
  journey:
    'A parameter that was given to this journey, and journey.reference, which names what it places: always the same.',
  answers: 'What was answered in a step of this journey: answers.<step>.<field>.',
  popup: 'A parameter that was given to this popup by the effect that opened it.',
} as const;

/** What is known of a form besides its fields. */
export const formFacts = {
  $changed: 'True while something differs from what was loaded.',
  $failures: 'How often a submit was refused or had a wrong field.',
} as const;

/** What is known of the caller; nothing here decides anything. */
export const principalFacts = {
  type: 'The user type.',
  name: 'The name of the person.',
  email: 'The email address of the person.',
  userId: 'What identifies the user in the cloud.',
  organisationId: 'What identifies the organisation in the cloud.',
  organisationName: 'What the organisation is called.',
  currency: 'GBP or EUR.',
  locale: 'The language in which texts, numbers and dates are written.',
  timeZone:
    'The time zone that the person has chosen, such as Europe/London; absent where times are those of the browser.',
  prices: '"hidden" where prices are hidden from the caller; absent otherwise.',
  actor: 'Who is really acting, by an admin jump; absent otherwise.',
  brand:
    '"custom" where pages have the brand of a reseller, "tried" where its author tries one; absent with the portal\'s own look.',
  privacyPolicy: "The address of the reseller's own privacy policy; absent where it has none.",
} as const;

import type { Visitor } from './conversation.ts';

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
const states: Readonly<Record<string, string>> = {
  Open: 'is with support',
  Waiting: 'waits for your reply',
  Answered: 'was answered',
};

const firstName = (name: string): string => name.split(' ')[0] ?? name;

/** Says what the agent knows of a visitor: what the token said, and the tickets of the account. */
function sayWho({ name, email, organisation, organisationId, tickets }: Visitor): string {
  const open = tickets.length === 0 ? 'no open ticket' : plural(tickets.length, 'open ticket');
  return `I see your name (${name}), your address (${email}), your organisation (${organisation}, number ${organisationId}) and ${open} of yours. I see no passwords and no prices, and I change nothing.`;
}

export const greet = (visitor: Visitor): string =>
  `Hello ${firstName(visitor.name)}, this is the stand-in agent of support. ${sayWho(visitor)} What can I help you with?`;

export const welcomeBack = ({ name }: Visitor): string => `Welcome back, ${firstName(name)}. We go on where we were.`;

const offer = 'Press “Make it a ticket” below, and a colleague goes on with it.';

/** A word in a message, and the answer to it. */
const topics: readonly (readonly [RegExp, (visitor: Visitor) => string])[] = [
  [/\b(?:who am i|what (?:can|do) you (?:see|know)|my (?:data|details|name|organisation))\b/i, sayWho],
  [
    /\btickets?\b/i,
    ({ tickets }) =>
      tickets.length === 0
        ? `You have no open ticket. ${offer}`
        : `Of your tickets ${tickets
            .slice(0, 3)
            .map(({ id, subject, status }) => `${id} (${subject}) ${states[status] ?? 'is open'}`)
            .join('; ')}. Say a number to hear of another one.`,
  ],
  [
    /\b(?:invoices?|bills?|billing|charges?|payments?|credit)\b/i,
    () =>
      `Each line of an invoice in Billing has a menu with “Ask support”, which sends its number along. Tell me the invoice and what is wrong with it, or: ${offer}`,
  ],
  [
    /\b(?:fail(?:ed|s|ure)?|errors?|broken|not work(?:ing)?|stuck|activat\w*)\b/i,
    () =>
      `I am sorry to hear that. Which customer and product is it, and which reference number does the page show? ${offer}`,
  ],
  [
    /\b(?:password|sign(?:ing)? in|log(?:ging)? in|authenticator|code)\b/i,
    () =>
      'Never write a password or a code here. Who manages people resets a sign-in under Manage users; the article “Reset how somebody signs in” shows how.',
  ],
  [/\b(?:human|person|colleague|agent|somebody real)\b/i, () => `A colleague of support reads tickets. ${offer}`],
  [/\b(?:thanks|thank you|bye|goodbye|cheers)\b/i, ({ name }) => `You are welcome, ${firstName(name)}.`],
  [/^\s*(?:hi|hello|hey|good (?:morning|afternoon|evening))\b/i, ({ name }) => `Hello ${firstName(name)}. What is it?`],
];

/** Answers a message of a visitor; `isOpen` says whether support is there. */
export function answer(text: string, visitor: Visitor, isOpen: boolean): string {
  if (!isOpen) return `Support has gone home meanwhile, and nobody reads along. ${offer}`;
  const named = visitor.tickets.find(({ id }) => new RegExp(`(?<!\\d)${id}(?!\\d)`).test(text));
  if (named) return `Ticket ${named.id} (${named.subject}) ${states[named.status] ?? 'is open'}.`;
  const topic = topics.find(([words]) => words.test(text));
  if (topic) return topic[1](visitor);
  const said = text.replace(/\s+/g, ' ').trim();
  return `I have noted “${said.length > 80 ? `${said.slice(0, 79)}…` : said}”. Tell me more: which customer, which product, since when? ${offer}`;
}

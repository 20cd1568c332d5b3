/** What a failed sign-on leads to: a popup for each that has a way on, and one for all others. */
export const signOnPopups = [
  'sso-no-organisation',
  'sso-other-organisation',
  'sso-required',
  'sso-prohibited',
  'sso-failed',
] as const;
type Popup = (typeof signOnPopups)[number];

/** What the words of the server lead to (document 1, section 8); the first that is contained counts. */
const known: readonly (readonly [words: string, popup: Popup])[] = [
  ['client requires organization membership, but user does not belong to any organization', 'sso-no-organisation'],
  ['is not part of the', 'sso-other-organisation'],
  ['Authentication with Microsoft required', 'sso-required'],
  ['Authentication with Microsoft prohibited', 'sso-prohibited'],
];

/** Finds the organisation id that a message carries after a semicolon (document 1, section 3). */
export const organisationIn = (message: string): string | undefined =>
  /;\s*([A-Za-z0-9_-]{1,64})\s*$/.exec(message)?.[1];

/** Chooses the popup that explains why a sign-on failed, from the server's message; `sso-failed` for an unknown one. */
export const popupFor = (message = ''): Popup => known.find(([words]) => message.includes(words))?.[1] ?? 'sso-failed';

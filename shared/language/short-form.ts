/** A part of a document in short form, with the same part in its long form. */
export type ShortForm = {
  readonly name: string;
  readonly says: string;
  /** Kind of the document that it is a part of: of a screen, where nothing else is said. */
  readonly kind?: 'screen' | 'popup' | 'form' | 'journey' | 'catalogue' | 'navigation';
  readonly short: Readonly<Record<string, unknown>>;
  readonly long: Readonly<Record<string, unknown>>;
};

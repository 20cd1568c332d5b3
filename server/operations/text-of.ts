/** A text that was given; '' for all that is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

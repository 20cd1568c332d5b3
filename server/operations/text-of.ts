/** Gives a value if it is a text, else ''. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

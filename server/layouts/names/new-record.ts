/**
 * Makes an empty object without a prototype, in a way that V8 treats as fast as any other; one of `Object.create(null)`
 * is slow to copy and list.
 */
export const newRecord = (): Record<string, unknown> => Object.setPrototypeOf({}, null);

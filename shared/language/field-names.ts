/** Fields that tell the items of a list apart, the first that they have. */
export const keyNames = ['Id', 'Key', 'id'] as const;

/** Fields that say what an item is called, the first that it has. */
export const titleNames = ['Name', 'Title', 'DisplayName', 'name', 'title'] as const;

/** Names as a sentence lists them: "Id, Key or id". */
export const oneOf = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].join(' or ');

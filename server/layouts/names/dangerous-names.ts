/** Names that reach into objects: nothing in a document may be called so. */
export const dangerousNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

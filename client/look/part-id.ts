/** Test id of a part that a node makes for itself. */
export const partId = (testId: string | undefined, part: string): string | undefined => testId && `${testId}-${part}`;

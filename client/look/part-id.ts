/**
 * Makes the test id of an element inside a node from the node's own test id (`customers-search`); undefined without
 * one.
 */
export const partId = (testId: string | undefined, part: string): string | undefined => testId && `${testId}-${part}`;

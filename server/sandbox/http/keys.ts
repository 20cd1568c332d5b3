import { text } from './schema.ts';

/** Schema of the parameter that takes the keys of up to 100 rows: numbers separated by commas. */
export const keysOfRows = { ...text(1600), pattern: '^\\d{1,15}(?:,\\d{1,15}){0,99}$' } as const;

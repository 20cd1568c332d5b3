import { object, string } from '../http/schema.ts';

export const synchronization = object({ status: { ...string, description: 'completed, in progress or unknown' } });

/** The wrapper of PSA replies (document 2, section 3). */
export const wrapped = (response: object) => object({ response, synchronization } as never);

export const body = <const P extends object, const R extends readonly (keyof P & string)[]>(
  properties: P,
  required: R,
) => ({ type: 'object', additionalProperties: false, required, properties }) as const;

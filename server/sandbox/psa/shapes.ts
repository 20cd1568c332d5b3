import { date, id, integer, list, object, pageQuery, string, text } from '../http/schema.ts';

export const synchronization = object({ status: { ...string, description: 'completed, in progress or unknown' } });

/** Makes the JSON Schema of a PSA reply: the response with the state of its synchronisation (document 2, section 3). */
export const wrapped = (response: object) => object({ response, synchronization });

/** Makes the JSON Schema of a request's body with these properties, some of them required, and no others. */
export const body = <const P extends object, const R extends readonly (keyof P & string)[]>(
  properties: P,
  required: R,
) => ({ type: 'object', additionalProperties: false, required, properties }) as const;

// Of the reports.
export const cmCustomer = object({ id, name: string });
export const counts = object({ all: integer, selected: integer, notSelected: integer });
export const months = wrapped(list(object({ id, name: string, start: date, end: date })));
const filters = { search: { ...text(200), default: '' }, selected: { enum: ['yes', 'no'] } } as const;
export const rowsQuery = pageQuery(filters);
/** Of a report as a file, which has no pages. */
export const fileQuery = body(filters, []);
export const selection = body({ Id: text(20), Selected: { enum: ['yes', 'no'] } }, ['Id', 'Selected']);

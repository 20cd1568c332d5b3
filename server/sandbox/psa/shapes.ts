import { date, id, integer, list, object, pageQuery, partial, search, string, text } from '../http/schema.ts';

export const synchronization = object({ status: { ...string, description: 'completed, in progress or unknown' } });

/** Makes the JSON Schema of a PSA reply: the response with the state of its synchronisation (document 2, section 3). */
export const wrapped = (response: object) => object({ response, synchronization });

// Of the reports.
export const cmCustomer = object({ id, name: string });
export const counts = object({ all: integer, selected: integer, notSelected: integer });
export const months = wrapped(list(object({ id, name: string, start: date, end: date })));
const filters = { search, selected: { enum: ['yes', 'no'] } } as const;
export const rowsQuery = pageQuery(filters);
/** Of a report as a file, which has no pages. */
export const fileQuery = partial(filters);
export const selection = object({ Id: text(20), Selected: { enum: ['yes', 'no'] } });

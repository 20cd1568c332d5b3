import type { ShortForm } from './short-form.ts';
import { dataForms } from './short-forms/data.ts';
import { nodeForms } from './short-forms/nodes.ts';

/**
 * Every short form, each with one reading. Which property is the head of a node or effect, and what a node in short form
 * need not say, stands in its schema (`short`). The examples read `data.customers`, the operation `example.customers`.
 */
export const shortForms: readonly ShortForm[] = [...nodeForms, ...dataForms];

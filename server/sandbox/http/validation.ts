import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { CloudError, invalid } from './errors.ts';

/** Makes the 400 for what ajv found, with one message for each field (document 1, section 5, form messages). */
export function asRefusal(errors: readonly FastifySchemaValidationError[]): CloudError {
  const fields: Record<string, string[]> = {};
  for (const error of errors) {
    const field = fieldOf(error);
    if (field === '') return new CloudError(400, 'Invalid', ['The request has no readable body.']);
    fields[field] ??= [];
    // One complaint a field is enough: an empty value would break its pattern too.
    if (fields[field].length === 0) fields[field].push(wordsFor(error, field));
  }
  return invalid(fields);
}

function fieldOf({ keyword, params, instancePath }: FastifySchemaValidationError): string {
  if (keyword === 'required') return String(params.missingProperty);
  if (keyword === 'additionalProperties') return String(params.additionalProperty);
  return instancePath.split('/')[1] ?? '';
}

function wordsFor({ keyword, params }: FastifySchemaValidationError, field: string): string {
  switch (keyword) {
    case 'required':
      return `${labelOf(field)} is required`;
    case 'minLength':
      return params.limit === 1 ? `${labelOf(field)} is required` : `Must be a minimum of ${params.limit} character(s)`;
    case 'maxLength':
      return `Must be a maximum of ${params.limit} character(s)`;
    case 'minimum':
      return `Must be at least ${params.limit}`;
    case 'maximum':
      return `Must be at most ${params.limit}`;
    case 'enum':
      return `Must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'additionalProperties':
      return `${field} is not a known field`;
    case 'format':
      if (params.format === 'cloud-filled') return `${labelOf(field)} is required`;
      return params.format === 'cloud-email' ? 'Must be a valid email address' : 'Must be the correct format';
    default:
      return 'Must be the correct format';
  }
}

/** Writes a field's name as words: "ContactName" becomes "Contact name". */
export function labelOf(field: string): string {
  const words = field.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

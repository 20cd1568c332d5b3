import { anyone } from '../auth/needs.ts';
import { invalid, notFound } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, integer, list, object, orNull, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { validateAnswers } from './form-check.ts';
import { type Form, forms } from './form-definitions.ts';

const definition = object({
  Fields: list(
    object({
      PropertyName: string,
      Label: string,
      Type: integer,
      Mandatory: boolean,
      Regex: orNull(string),
      InvalidMessage: orNull(string),
      ToolTip: orNull(string),
      Message: orNull(string),
    }),
  ),
});
// The fields are the form's own, so they are checked against its definition and not here.
const answers = {
  type: 'object',
  maxProperties: 100,
  additionalProperties: { type: 'string', maxLength: 10_000, pattern: '^[^\\u0000]*$' },
} as const;
const path = '/api/dynamicForm/:formId';

/**
 * Adds the routes of forms that the cloud defines at run time (document 2, sections 3 and 7): read a form's fields,
 * submit its answers.
 */
export function addFormRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['forms'], needs: anyone });

  route(`GET ${path}`, { reply: definition }, ({ params: { formId } }) => {
    const empty = { Regex: null, InvalidMessage: null, ToolTip: null, Message: null };
    return { Fields: formWith(formId).fields.map(field => ({ ...empty, ...field })) };
  });

  route(`POST ${path}`, { once: true, body: answers }, async ({ trx, caller, params, body }) => {
    const { formId } = params;
    const { fields, thanks } = formWith(formId);
    const faults = validateAnswers(fields, body);
    if (Object.keys(faults).length > 0) throw invalid(faults);
    // A password is for the one who acts on the form at once; it is not kept.
    const secret = new Set(fields.filter(field => field.Type === 2).map(field => field.PropertyName));
    const kept = Object.entries(body).filter(([name]) => !secret.has(name));
    await trx
      .insertInto('form_submissions')
      .values({
        form_id: formId,
        account_id: caller.accountId,
        created: now(),
        answers: JSON.stringify(Object.fromEntries(kept)),
      })
      .execute();
    return thanks(body);
  });
}

function formWith(id: string): Form {
  const form = forms.get(id);
  if (form === undefined) throw notFound();
  return form;
}

import { anyone } from '../auth/needs.ts';
import { invalid, notFound } from '../http/errors.ts';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, boolean, integer, list, object, orNull, params, string } from '../http/schema.ts';
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
const tags = ['forms'];
const config = { needs: anyone };
const path = '/api/dynamicForm/:formId';

/**
 * Adds the routes of forms that the cloud defines at run time (document 2, sections 3 and 7): read a form's fields,
 * submit its answers.
 */
export function addFormRoutes(app: App, { db, now }: Parts): void {
  app.get(
    path,
    { config, schema: { tags, params: params('formId'), response: replies(definition) } },
    async ({ params: { formId } }) => {
      const empty = { Regex: null, InvalidMessage: null, ToolTip: null, Message: null };
      return succeed({ Fields: formWith(formId).fields.map(field => ({ ...empty, ...field })) });
    },
  );

  app.post(
    path,
    { config, schema: { tags, params: params('formId'), headers: idempotencyKey, body: answers, response: replies() } },
    async request => {
      const { formId } = request.params;
      const { fields, thanks } = formWith(formId);
      const faults = validateAnswers(fields, request.body);
      if (Object.keys(faults).length > 0) throw invalid(faults);
      return await once(db, request, async trx => {
        // A password is for the one who acts on the form at once; it is not kept.
        const secret = new Set(fields.filter(field => field.Type === 2).map(field => field.PropertyName));
        const kept = Object.entries(request.body).filter(([name]) => !secret.has(name));
        await trx
          .insertInto('form_submissions')
          .values({
            form_id: formId,
            account_id: request.signedIn.accountId,
            created: now(),
            answers: JSON.stringify(Object.fromEntries(kept)),
          })
          .execute();
        return done(thanks(request.body));
      });
    },
  );
}

function formWith(id: string): Form {
  const form = forms.get(id);
  if (form === undefined) throw notFound();
  return form;
}

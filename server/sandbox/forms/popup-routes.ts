import type { Caller } from '../auth/caller.ts';
import { anyone } from '../auth/needs.ts';
import { differences, isSame, recordActivity } from '../customers/activity.ts';
import { customerIdOf } from '../customers/scope.ts';
import { changeContact } from '../customers/write.ts';
import { conflict, invalid, notFound, notPermitted } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, integer, list, object, orNull, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { checkSubmission, type Submission } from './popup-check.ts';
import { type Popup, popups } from './popup-definitions.ts';
import { describePopupValues, readPopup, savePopupValues } from './popup-store.ts';

const model = object({
  Title: string,
  ApiGetSchemaPath: string,
  ApiGetDataPath: string,
  ApiSubmitPath: string,
  ApiSubmitRequestMethod: string,
});
const anyValue = {};
const schema = object({
  Items: list(
    object({
      DataItem: string,
      Label: string,
      Type: integer,
      Regex: orNull(string),
      RegexError: orNull(string),
      RequiredValue: anyValue,
    }),
  ),
  PropertyDependencies: list(
    object({
      PropertyDataItem: string,
      PropertyDataItemDependencyValue: anyValue,
      DependentPropertyDataItem: string,
      Type: integer,
    }),
  ),
  UpdateEvent: string,
});
const data = { type: 'object', additionalProperties: true } as const;
// The values are validated by the popup's own items.
const submission = {
  type: 'object',
  maxProperties: 100,
  required: ['OrganisationId', 'RecordVersion'],
  properties: { OrganisationId: text(20), RecordVersion: { type: 'integer' } },
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 10_000, pattern: '^[^\\u0000]*$' },
} as const;

/**
 * Adds the routes of generic popups, forms with data that the cloud defines at run time (document 2, sections 3 and 7):
 * read a popup, its schema and its data, submit it. Each popup says itself which right it needs.
 */
export function addPopupRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['popups'], needs: anyone });

  route(
    'GET /api/popups/:popupId',
    { query: object({ organisationId: text(40) }), reply: model },
    async ({ caller, params: { popupId }, query }) => {
      const { title, method } = popupFor(caller, popupId);
      await customerIdOf(db, caller, query.organisationId);
      const at = encodeURIComponent(query.organisationId);
      return {
        Title: title,
        ApiGetSchemaPath: `/api/popups/${popupId}/schema`,
        ApiGetDataPath: `/api/popups/${popupId}/data/${at}`,
        ApiSubmitPath: `/api/popups/${popupId}/submit/${at}`,
        ApiSubmitRequestMethod: method,
      };
    },
  );

  route('GET /api/popups/:popupId/schema', { reply: schema }, ({ caller, params: { popupId } }) => {
    const { items, dependencies, updateEvent } = popupFor(caller, popupId);
    const empty = { Regex: null, RegexError: null, RequiredValue: null };
    return {
      Items: items.map(item => ({ ...empty, ...item })),
      PropertyDependencies: dependencies,
      UpdateEvent: updateEvent,
    };
  });

  route(
    'GET /api/popups/:popupId/data/:organisationId',
    { reply: data },
    async ({ caller, params: { popupId, organisationId } }) => {
      const popup = popupFor(caller, popupId);
      return await readPopup(db, popupId, popup, await customerIdOf(db, caller, organisationId));
    },
  );

  for (const method of ['POST', 'PUT', 'DELETE'])
    route(
      `${method} /api/popups/:popupId/submit/:organisationId`,
      { body: submission },
      async ({ caller, params: { popupId, organisationId }, body }) => {
        const popup = popupFor(caller, popupId);
        if (method.toLowerCase() !== popup.method) throw notFound();
        await submit(db, caller, popupId, popup, organisationId, body as Submission, now());
        return popup.done.message;
      },
    );
}

function popupFor(caller: Caller, id: string): Popup {
  const popup = popups.get(id);
  if (popup === undefined) throw notFound();
  if (!popup.needs.isMet(caller, {})) throw notPermitted();
  return popup;
}

async function submit(
  db: Database,
  caller: Caller,
  id: string,
  popup: Popup,
  organisationId: string,
  body: Submission,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async trx => {
    const customerId = await customerIdOf(trx, caller, organisationId);
    const before = await readPopup(trx, id, popup, customerId);
    if (body.OrganisationId !== before.OrganisationId) throw notFound();
    if (body.RecordVersion !== before.RecordVersion) {
      throw conflict('Somebody else has changed this meanwhile. Open it again.');
    }
    const { values, faults } = checkSubmission(popup, before, body);
    if (Object.keys(faults).length > 0) throw invalid(faults);
    const kept =
      popup.method === 'delete' ? Object.fromEntries(Object.keys(popup.initial).map(name => [name, ''])) : values;
    await savePopupValues(trx, id, popup, customerId, before, kept);
    const told = {
      before: describePopupValues(popup, before),
      after: describePopupValues(popup, { ...before, ...kept }),
    };
    if (id === 'contact-details') return await changeContact(trx, caller, customerId, values, now, told);
    const changed = differences(told.before, told.after);
    if (isSame(changed)) return;
    const { name } = await trx
      .selectFrom('customers')
      .select('name')
      .where('id', '=', customerId)
      .executeTakeFirstOrThrow();
    await recordActivity(trx, customerId, caller, now, { action: popup.done.action, target: name, ...changed });
  });
}

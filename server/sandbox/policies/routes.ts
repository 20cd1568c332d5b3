import { notFound } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, integer, list, object, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';

const button = object({ Id: string, Text: string });
const section = object({
  Type: { ...integer, description: '1 custom, 2 header, 3 content, 4 sub-content, 5 list' },
  Content: { ...string, description: 'The items of a list stand between "|".' },
  ContentLabel: string,
  AnchorValue: string,
  AnchorText: string,
  NestingLevel: integer,
});
const policy = object({ Id: string, Title: string, Sections: list(section) });

/** Adds the routes of the footer's links and policies, which need no sign-in (document 1, sections 3 and 7). */
export function addPolicyRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['policies'] });

  route('GET /api/footer/buttons', { reply: list(button) }, () =>
    db.selectFrom('policies').select(['id as Id', 'title as Text']).orderBy('position').execute(),
  );

  route('GET /api/footer/policies/:policyId', { reply: policy }, async ({ params: { policyId } }) => {
    const found = await db
      .selectFrom('policies')
      .select(['id as Id', 'title as Title'])
      .where('id', '=', policyId)
      .executeTakeFirstOrThrow(notFound);
    const Sections = await db
      .selectFrom('policy_sections')
      .select(['type as Type', 'content as Content', 'content_label as ContentLabel'])
      .select(['anchor_value as AnchorValue', 'anchor_text as AnchorText', 'nesting_level as NestingLevel'])
      .where('policy_id', '=', policyId)
      .orderBy('position')
      .execute();
    return { ...found, Sections };
  });
}

import { view } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, id, integer, list, object, pageQuery, partial, search, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { listPaths, securityDomains } from './resource.ts';
import { largestRuleFile } from './rule-file.ts';
import { checkRuleFile, exportList, lineSchema, listLines, loadRuleFile, undoRuleFile } from './rule-files.ts';
import { fileLists, lineOutcomes } from './tables.ts';

const one = '/api/customers/:customerId/email-security/domains/:filteredId';

/** Adds the routes of rule files (document 2, section 7). */
export function addRuleFileRoutes(app: App, { db, now }: Parts): void {
  const common = { tags: [securityDomains.tag], needs: view('customerUsers') };
  const route = routeAdder(app, db, common);
  const file = `${one}/rule-files/:ruleFileId` as const;

  route(
    `GET ${file}/lines`,
    {
      query: pageQuery({ search, outcome: { enum: lineOutcomes } }),
      reply: object({ Items: list(lineSchema), Total: integer }),
    },
    ({ caller, params, query }) => listLines(db, caller, params, query),
  );

  route(`POST ${file}/load`, { once: true }, async ({ trx, caller, params }) => {
    await loadRuleFile({ trx, caller, now: now() }, params);
    return 'The rule file was loaded.';
  });

  route(`POST ${file}/undo`, { once: true }, async ({ trx, caller, params }) => {
    await undoRuleFile({ trx, caller, now: now() }, params);
    return 'The rule file was taken back.';
  });

  for (const name of fileLists)
    route(
      `GET ${one}/${listPaths[name]}/rule-file`,
      { needs: view('customers'), file: 'text/csv' },
      async ({ caller, params }) => ({ name: listPaths[name], rows: await exportList(db, caller, params, name) }),
    );

  app.register(async (files: App) => {
    files.removeContentTypeParser(['application/json', 'text/plain']);
    files.addContentTypeParser(['text/csv', 'text/plain'], { parseAs: 'buffer' }, (_request, bytes, done) =>
      done(null, bytes),
    );
    const upload = routeAdder(files, db, common);
    for (const listName of fileLists)
      upload(
        `POST ${one}/${listPaths[listName]}/rule-file`,
        {
          consumes: ['text/csv', 'text/plain'],
          query: partial({ name: text(200) }),
          reply: object({ FileId: id }),
          bodyLimit: largestRuleFile,
        },
        async ({ caller, params, query, body }) => {
          const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
          const sent = { list: listName, name: query.name ?? '', bytes };
          const FileId = await db
            .transaction()
            .execute(trx => checkRuleFile({ trx, caller, now: now() }, params, sent));
          return { FileId };
        },
      );
  });
}

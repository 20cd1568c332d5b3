import { sql } from 'kysely';
import type { App } from '../http/schema.ts';
import { flagsOf } from '../marketplace/products.ts';
import type { Parts } from '../parts.ts';
import { isFor } from './search.ts';

type Refused = { readonly Refusals?: readonly { readonly Code: string }[] };

/** Adds to every refusal by a code the article about it, where there is one for the caller and the feature is on. */
export function offerArticles(app: App, { db }: Parts): void {
  app.addHook('preSerialization', async ({ signedIn }, _reply, payload) => {
    const code = (payload as Refused | null)?.Refusals?.[0]?.Code;
    if (code === undefined || !signedIn) return payload;
    const { rows } = await sql<{ readonly Path: string; readonly Title: string }>`
      select a.path as "Path", a.title as "Title" from kb_articles a
      where ${code} = any (a.codes) and ${isFor(signedIn)}
      order by a.title limit 1`.execute(db);
    const [Article] = rows;
    return Article && (await flagsOf(db, signedIn.accountId)).has('KnowledgeBase')
      ? { ...(payload as Refused), Article }
      : payload;
  });
}

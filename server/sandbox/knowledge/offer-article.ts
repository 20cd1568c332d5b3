import { sql } from 'kysely';
import type { App } from '../http/schema.ts';
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
      join feature_flags f on f.name = 'KnowledgeBase'
      left join feature_overrides o on o.feature_name = f.name and o.account_id = ${signedIn.accountId}
      where coalesce(o.enabled, f.enabled) and ${code} = any (a.codes) and ${isFor(signedIn)}
      order by a.title limit 1`.execute(db);
    const [Article] = rows;
    return Article ? { ...(payload as Refused), Article } : payload;
  });
}

import { isDeepStrictEqual } from 'node:util';
import { type Document, setIn } from '../edit-folder.ts';
import { migrateContracts, shownIn } from './contracts.ts';
import type { Migration } from './migration.ts';

const kindOf = ({ json }: Document): string => /(\w+)\.schema\.json$/.exec(String(json.$schema))?.[1] ?? '';

/** Migration: gives operations a declared reply in place of rules on paths, which edition 1 of the language had. */
export const toContracts: Migration = (documents, openApi) => {
  if (!openApi) return ['Contracts of replies are written only with --cloud.'];
  const shown = documents.flatMap(({ json }) => shownIn(json));
  const files = documents.filter(document => kindOf(document) === 'operations');
  const all = Object.assign({}, ...files.map(({ json }) => json.operations)) as Parameters<typeof migrateContracts>[0];
  const migrated = migrateContracts(all, openApi, shown);
  for (const document of files) {
    const operations = document.json.operations as Record<string, Record<string, unknown>>;
    for (const [name, before] of Object.entries(operations)) {
      const after = migrated[name] ?? {};
      for (const property of ['reply', 'openPrices', 'model'])
        if (!isDeepStrictEqual(before[property], after[property]))
          setIn(document, ['operations', name, property], after[property]);
    }
  }
  return [];
};

/** Migration: what a wizard shows beside its fields becomes `facts`, which the wizard's command declares one by one. */
export const toFacts: Migration = documents => {
  for (const document of documents)
    document.text = document.text.replaceAll('"reply.Result.values.', '"reply.Result.facts.');
  return [];
};

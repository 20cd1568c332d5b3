import { isDeepStrictEqual } from 'node:util';
import { type Document, setIn } from '../edit-folder.ts';
import type { OpenApi } from '../open-api.ts';
import { migrateContracts, shownIn } from './contracts.ts';

const kindOf = ({ json }: Document): string => /(\w+)\.schema\.json$/.exec(String(json.$schema))?.[1] ?? '';

/** Gives operations contracts in place of rules on paths. */
export function toContracts(documents: readonly Document[], openApi: OpenApi): void {
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
}

/** What a wizard shows beside its fields are facts, which its command declares one by one. */
export function toFacts(documents: readonly Document[]): void {
  for (const document of documents)
    document.text = document.text.replaceAll('"reply.Result.values.', '"reply.Result.facts.');
}

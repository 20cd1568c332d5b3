import { editDocuments } from './edit-folder.ts';
import { moveOperations } from './migrations/areas.ts';
import type { Migration } from './migrations/migration.ts';
import { renameWords } from './migrations/node-words.ts';
import { moveEventsToOperations } from './migrations/operation-events.ts';
import { toQueries } from './migrations/queries.ts';
import { toContracts, toFacts } from './migrations/replies.ts';
import { nameRequirements } from './migrations/requirements.ts';
import { toShortForms } from './migrations/short-forms.ts';
import { renameTestIds } from './migrations/test-ids.ts';
import { renameTexts } from './migrations/text-names.ts';
import type { OpenApi } from './open-api.ts';

/** In the order in which they run. */
const migrations: readonly Migration[] = [
  toContracts,
  toFacts,
  toQueries,
  nameRequirements,
  renameWords,
  moveOperations,
  renameTexts,
  renameTestIds,
  moveEventsToOperations,
  toShortForms,
];

/** Rewrites the documents of a folder in place, in the project's format. Gives the files that changed, and notes. */
export async function migrateFolder(
  folder: string,
  openApi?: OpenApi,
): Promise<{ files: readonly string[]; notes: readonly string[] }> {
  let notes: readonly string[] = [];
  const files = await editDocuments(folder, documents => {
    notes = migrations.flatMap(migrate => migrate(documents, openApi));
  });
  return { files, notes };
}

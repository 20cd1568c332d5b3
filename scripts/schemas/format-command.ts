import { formatDocument } from '../../server/editing/format.ts';
import { defaultFolder, type SchemasCommand } from './command.ts';
import { editDocuments } from './edit-folder.ts';

/** Rewrites the documents of a folder in the project's format. */
export const formatCommand: SchemasCommand = {
  usage: [
    ['format [folder]', 'write each document in the format of the project: what fits on a line stands on a line'],
  ],
  async run([folder = defaultFolder()]) {
    const changed = await editDocuments(folder, documents => {
      for (const document of documents) document.text = formatDocument(document.json);
    });
    for (const file of changed) console.log(file);
    console.log(`${folder}: ${changed.length} documents changed`);
    return 0;
  },
};

import { commandDeclarations } from '../../../server/commands/index.ts';
import { asWritten } from '../../../server/layouts/expand/expand.ts';
import { gatherFacts } from '../../../server/layouts/expand/folder-facts.ts';
import { parseSource } from '../../../server/layouts/load/load.ts';
import type { Document } from '../edit-folder.ts';
import { formatDocument } from '../format.ts';
import { shorten } from '../shorten/shorten.ts';
import type { Migration } from './migration.ts';
import { dropNeedless } from './needless-values.ts';

/** Migration: rewrites each document in short form (without what the server adds anyway), in the project's format. */
export const toShortForms: Migration = documents => {
  const read = documents.flatMap((document: Document) => {
    const source = parseSource(document.file, document.text);
    return 'file' in source ? [{ document, source }] : [];
  });
  const facts = gatherFacts(
    read.map(({ source }) => source),
    commandDeclarations,
  );
  for (const { document, source } of read)
    document.text = formatDocument(asWritten.has(source.kind) ? source.json : shorten(source, facts, dropNeedless));
  return [];
};

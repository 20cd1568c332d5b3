import type { Document } from '../edit-folder.ts';
import type { OpenApi } from '../open-api.ts';

/**
 * Rewrites, moves or adds documents of an edition before, with what a cloud says of its replies where that is needed. What
 * is of this edition stays as it is, so that a migration can run again. Gives what one should look at.
 */
export type Migration = (documents: Document[], openApi: OpenApi | undefined) => readonly string[];

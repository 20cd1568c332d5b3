import { PortalError } from '../errors.ts';
import { dropBeyond, ownerBounds } from './owner-bounds.ts';
import type { Store } from './store.ts';

/** Whose draft it is, of what, and for whom: one of each at a time. */
export type DraftKey = { readonly owner: string; readonly kind: string; readonly subject: string };

/** What was typed and is not sent yet. `version` rises by one each time it is kept. */
export type Draft = { readonly version: number; readonly content: unknown; readonly savedAt: Date };

/** Bytes of one draft as JSON. */
export const draftLimit = 64 * 1024;
/** Milliseconds after which a draft that nobody touches is forgotten. */
export const draftLife = 30 * 86_400_000;

/** Drafts, on every process and for every device of their owner. */
export type Drafts = {
  find(key: DraftKey): Promise<Draft | undefined>;
  /**
   * Keeps a draft: over the version that was read, and never over another one; without `over` a first one, or whatever is
   * there. Undefined when `over` is not what is there any more. Throws TOO_LARGE beyond `draftLimit`. Beyond
   * the bound of its owner the oldest go (`owner-bounds.ts`).
   */
  keep(key: DraftKey, content: unknown, over?: number): Promise<Draft | undefined>;
  drop(key: DraftKey): Promise<void>;
  /** Forgets what has timed out. */
  sweep(): Promise<void>;
};

/**
 * Creates the store, in the portal's database, of users' unfinished wizards: what was typed and is not sent yet, one
 * draft per user, wizard and subject.
 */
export function createDrafts(store: Store, now: () => number): Drafts {
  return {
    async find({ owner, kind, subject }) {
      const row = await store.run(db =>
        db
          .selectFrom('drafts')
          .select(['version', 'content', 'saved_at'])
          .where('owner', '=', owner)
          .where('kind', '=', kind)
          .where('subject', '=', subject)
          .where('saved_at', '>', new Date(now() - draftLife))
          .executeTakeFirst(),
      );
      return row && { version: row.version, content: JSON.parse(row.content), savedAt: row.saved_at };
    },
    async keep(key, given, over) {
      const content = JSON.stringify(given);
      if (Buffer.byteLength(content) > draftLimit) throw new PortalError('TOO_LARGE', { detail: `draft ${key.kind}` });
      const savedAt = new Date(now());
      const row = await store.run(db =>
        over === undefined
          ? db
              .insertInto('drafts')
              .values({ ...key, content, saved_at: savedAt })
              .onConflict(known =>
                known.columns(['owner', 'kind', 'subject']).doUpdateSet(({ eb, ref }) => ({
                  content,
                  saved_at: savedAt,
                  version: eb(ref('drafts.version'), '+', 1),
                })),
              )
              .returning('version')
              .executeTakeFirst()
          : db
              .updateTable('drafts')
              .set(({ eb }) => ({ content, saved_at: savedAt, version: eb('version', '+', 1) }))
              .where('owner', '=', key.owner)
              .where('kind', '=', key.kind)
              .where('subject', '=', key.subject)
              .where('version', '=', over)
              .returning('version')
              .executeTakeFirst(),
      );
      if (row) await store.run(db => dropBeyond(db, ownerBounds.drafts, key.owner));
      return row && { version: row.version, content: given, savedAt };
    },
    async drop({ owner, kind, subject }) {
      await store.run(db =>
        db
          .deleteFrom('drafts')
          .where('owner', '=', owner)
          .where('kind', '=', kind)
          .where('subject', '=', subject)
          .execute(),
      );
    },
    async sweep() {
      await store.run(db =>
        db
          .deleteFrom('drafts')
          .where('saved_at', '<=', new Date(now() - draftLife))
          .execute(),
      );
    },
  };
}

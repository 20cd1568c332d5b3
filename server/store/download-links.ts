import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from './store.ts';

/** Seconds after which a link is over (document 2, section 7). They are the database's, which all processes share. */
const linkLife = 1;

/** A file as an operation gives it, and whose it is. */
export type DownloadLink = {
  /** Key of the session that asked. */
  readonly session: string;
  /** The account, and how it acts. */
  readonly owner: string;
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** Links to files, each good for one fetch within a second, on whichever process it arrives. Throws STORE_DOWN. */
export type DownloadLinks = {
  /** Gives the guid of a new link; nothing but its hash is kept. */
  create(link: DownloadLink): Promise<string>;
  /**
   * Takes a link of that session and user: of several who ask at once, one gets it. Undefined for one that is unknown,
   * over, used or somebody else's, which stays good for its owner.
   */
  take(guid: string, of: Pick<DownloadLink, 'session' | 'owner'>): Promise<DownloadLink | undefined>;
  /** Forgets what is over. */
  sweep(): Promise<void>;
};

const keyOf = (guid: string): string => createHash('sha256').update(guid).digest('base64url');

/** Creates the store of links to files. */
export function createDownloadLinks(store: Store): DownloadLinks {
  return {
    create: ({ session, owner, operation, parameters }) =>
      store.run(async db => {
        const guid = randomUUID();
        // A session holds no more links than it asks for in a second.
        await sql`
          with over as (delete from portal.download_links where session = ${session} and expires_at <= now())
          insert into portal.download_links (key, session, owner, operation, parameters, expires_at)
          values (${keyOf(guid)}, ${session}, ${owner}, ${operation}, ${JSON.stringify(parameters)},
            now() + make_interval(secs => ${linkLife}::int))`.execute(db);
        return guid;
      }),
    take: (guid, { session, owner }) =>
      store.run(async db => {
        const row = await db
          .deleteFrom('download_links')
          .where('key', '=', keyOf(guid))
          .where('session', '=', session)
          .where('owner', '=', owner)
          .returning(['operation', 'parameters', sql<boolean>`expires_at > now()`.as('is_good')])
          .executeTakeFirst();
        if (!row?.is_good) return undefined;
        return { session, owner, operation: row.operation, parameters: JSON.parse(row.parameters) };
      }),
    async sweep() {
      await store.run(db => db.deleteFrom('download_links').where('expires_at', '<=', sql<Date>`now()`).execute());
    },
  };
}

import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Migration } from '../database/migrate.ts';
import { areas } from './areas.ts';
import { dropViews, makeViews } from './limits/views.ts';

const ofAreas = areas.flatMap(area => Object.entries(area.migrations ?? {}));
/** Another name whenever the views or the tables beneath them change: it then runs once more, after what changed. */
const views = createHash('sha256')
  .update(JSON.stringify([makeViews(), ofAreas.map(([name]) => name)]))
  .digest('hex')
  .slice(0, 16);

/** Those that take away what older builds use. */
const endOlder: ReadonlySet<string> = new Set(['200-mailboxes', '201-delayed-domains']);

/** Those of all areas; they run in the order of their names, and the views for limited accounts after all of them. */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries([
  ...ofAreas.map(([name, statements]) => [
    name,
    { ...run(`${dropViews}${statements}`), ...(endOlder.has(name) && { oldest: name }) },
  ]),
  [`views-${views}`, run(makeViews())],
]);

function run(statements: string): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql.raw(statements).execute(db);
    },
  };
}

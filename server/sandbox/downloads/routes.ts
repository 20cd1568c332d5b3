import type { Caller } from '../auth/caller.ts';
import { anyOf } from '../auth/needs.ts';
import { customerImport } from '../customers/import.ts';
import { notFound } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, filled, integer, list, object, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { userImport } from '../users/import.ts';
import { makeLink, takeLink } from './links.ts';

/** The files, by id: of each import one that shows how it is filled, for whoever may import. */
const downloads = [customerImport, userImport].map(({ nouns, needs, file, example }) => ({
  id: `${nouns}-example`,
  name: `${nouns}-example`,
  needs,
  rows: [file.map(({ head }) => head), ...example],
}));

/** The file of an id, where the caller has a use for it; 404 elsewhere. */
function downloadFor(caller: Caller, id: string | undefined) {
  const found = downloads.find(one => one.id === id && one.needs.isMet(caller, {}));
  if (!found) throw notFound();
  return found;
}

/** A link is made, and used, in the caller's own name. */
function checkName({ userName, email }: Caller, given: string): void {
  if (![userName, email].some(own => own.toLowerCase() === given.toLowerCase())) throw notFound();
}

/** Adds the calls of downloads (document 2, section 7: Download). */
export function addDownloadRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['downloads'], needs: anyOf(...downloads.map(({ needs }) => needs)) });
  const file = { Id: string, Filename: string };

  route('GET /api/Download', { reply: object({ Items: list(object(file)), Total: integer }) }, ({ caller }) => {
    const own = downloads.filter(({ needs }) => needs.isMet(caller, {}));
    return { Items: own.map(({ id, name }) => ({ Id: id, Filename: `${name}.csv` })), Total: own.length };
  });

  route(
    'POST /api/Download/GenerateGuid',
    { body: object({ DownloadId: filled(60), UserName: filled(254) }), reply: object({ ...file, Guid: string }) },
    async ({ caller, body: { DownloadId, UserName } }) => {
      checkName(caller, UserName);
      const { id, name } = downloadFor(caller, DownloadId);
      return { Id: id, Filename: `${name}.csv`, Guid: await makeLink(db, caller, id, now()) };
    },
  );

  route(
    'GET /api/Download/DownloadFromGuid/:guid/',
    { query: object({ userName: filled(254) }), file: 'text/csv' },
    async ({ caller, params: { guid }, query: { userName } }) => {
      checkName(caller, userName);
      const { name, rows } = downloadFor(caller, await takeLink(db, caller, guid, now()));
      return { name, rows };
    },
  );
}

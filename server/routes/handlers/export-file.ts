import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { contentDisposition } from '../../../shared/rules/file-name.ts';
import type { CloudRequest } from '../../cloud/call.ts';
import { PortalError } from '../../errors.ts';
import { formats } from '../../exports/formats.ts';
import { openTable } from '../../exports/table-export.ts';
import { type Caller, sessionOf } from '../../operations/caller.ts';
import type { Services } from '../../operations/services.ts';
import { datedName, findTable } from './files.ts';

/** True for the operation that gives an export file, which the portal itself has made in the background. */
export const isExportFile = ({ version }: Caller, operation: string): boolean =>
  version.operations.get(operation)?.service === 'portal';

/**
 * Sends an export file to the user it was made for, if that user may still see all of it: the table with these columns
 * is on their screen, the cloud still gives its rows, and the account sees as many customers as when it was made.
 * @throws {PortalError} NOT_FOUND, EXPORT_WITHDRAWN, and as the read
 */
export async function sendExportFile(
  services: Services,
  caller: Caller,
  { parameters }: CloudRequest,
  type: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = sessionOf({ caller });
  const { identity } = caller.principal.facts;
  const file = await services.exportFiles.find(identity, String(parameters.exportId));
  if (!file || formats[file.format].type !== type) throw new PortalError('NOT_FOUND');
  // Of what was taken away a moment ago this process may not know.
  await services.sessions.reread(caller.identifier ?? '');
  if (file.sight !== (session.principal.sight ?? null))
    throw new PortalError('EXPORT_WITHDRAWN', { detail: 'the account sees fewer customers' });
  const { layout, table, route } = findTable(caller, file.path, file.table_id);
  const { paths } = await openTable(services, caller, layout, table, route);
  const columns = JSON.parse(file.columns) as string[];
  if (!columns.every(path => paths.includes(path)))
    throw new PortalError('EXPORT_WITHDRAWN', { detail: 'a column of the file is not hers any more' });
  await services.exportFiles.noteTold(identity, file.id, session.key);
  return reply
    .code(200)
    .headers({
      'content-disposition': contentDisposition(datedName(file.title, file.started_at, file.format)),
      'content-length': file.bytes,
    })
    .type(file.format === 'csv' ? `${type}; charset=utf-8` : type)
    .send(Readable.from(services.exportFiles.read(file.id)));
}

import { Readable } from 'node:stream';
import { routeAdder } from '../http/route.ts';
import { type App, id, object, partial, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { attachmentTypes } from './file-kinds.ts';
import {
  attachmentFor,
  attachmentList,
  largestAttachment,
  listAttachments,
  listWaiting,
  openAttachment,
  removeWaiting,
  takeFile,
  waitingList,
} from './files.ts';
import { standInScanner } from './scanner.ts';
import { writesTickets } from './scope.ts';
import { contextKinds } from './ticket-context.ts';

const key = { ...text(40), default: '' } as const;
const waitsFor = { ticketId: key, kind: { enum: contextKinds, default: '' }, of: key } as const;

/** Adds the routes of the files of tickets (document 2, section 7: Support). */
export function addFileRoutes(app: App, { db, now }: Parts): void {
  const common = { tags: ['support'], needs: writesTickets };
  const route = routeAdder(app, db, common);

  route(
    'GET /api/support/waiting-attachments',
    {
      query: partial(waitsFor),
      reply: waitingList,
      summary: 'The files that are sent with the caller’s next reply on a ticket, or with a new ticket.',
    },
    ({ caller, query }) => listWaiting(db, caller, query),
  );
  route('POST /api/support/waiting-attachments/:id/remove', { once: true }, async ({ caller, trx, params }) => {
    await removeWaiting(trx, caller, params.id);
  });
  route('GET /api/support/GetSupportAttachments/:id', { reply: attachmentList }, ({ caller, params }) =>
    listAttachments(db, caller, params.id),
  );
  route('GET /api/support/DownloadAttachment/:id', { file: 'application/octet-stream' }, ({ caller, params }) =>
    openAttachment(db, attachmentFor(caller, params.id)),
  );

  app.register(async (files: App) => {
    // Streamed: nothing holds a whole file.
    files.removeContentTypeParser('application/json');
    files.addContentTypeParser([...attachmentTypes], (_request, payload, done) => done(null, payload));
    routeAdder(files, db, common)(
      'POST /api/support/UploadFilesSupportTicket',
      {
        consumes: attachmentTypes,
        query: partial({ ...waitsFor, name: { type: 'string', maxLength: 300 } }, 'name'),
        made: object({ AttachmentId: id }),
        bodyLimit: largestAttachment,
        summary:
          'Takes one file, to be sent with the next reply on a ticket, or with a new ticket about the same. Its kind is judged by its content, and a virus scanner looks at it.',
      },
      async ({ caller, query: { name, ...waiting }, body }) => {
        const file = body instanceof Readable ? body : Readable.from([]);
        const sending = { db, caller, now: now(), scanner: standInScanner };
        return { AttachmentId: String(await takeFile(sending, waiting, name, file)) };
      },
    );
  });
}

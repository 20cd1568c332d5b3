import type { FastifyReply } from 'fastify';
import { contentDisposition, fileName } from '../../../shared/rules/file-name.ts';
import type { CloudFile } from '../../cloud/file.ts';
import type { Services } from '../../operations/services.ts';

type Sending = {
  /** Media type that the operation declares. */
  readonly type: string;
  readonly operation: string;
  /** The id of the request, by which the log is searched. */
  readonly reference: string;
  readonly signal: AbortSignal;
};

/** Sends a file of the cloud as an attachment with a safe name. A file that breaks off is logged. */
export function sendFile(
  { log }: Services,
  reply: FastifyReply,
  { name, length, bytes }: CloudFile,
  { type, operation, reference, signal }: Sending,
): FastifyReply {
  bytes.once('error', ({ message }) => {
    if (!signal.aborted) log.warn({ reference, operation, reason: message }, 'a file broke off');
  });
  return reply
    .code(200)
    .headers({
      'content-disposition': contentDisposition(fileName(name, type)),
      ...(length !== undefined && { 'content-length': length }),
    })
    .type(type)
    .send(bytes);
}
